import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  checkAccount,
  checkUsername,
  findEmail,
  login,
  logout,
  register,
  resetPwdByVcode,
  sendVCode,
} from '@yiqiao/contracts/login';
import { changePassword } from '@yiqiao/contracts/user';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ChangePassword } from './change-password.js';
import { CheckAccount, CheckUsername } from './check-names.js';
import { FindEmail } from './find-email.js';
import { LogIn } from './log-in.js';
import { LogOut } from './log-out.js';
import { Register } from './register.js';
import { ResetPassword } from './reset-password.js';
import { SendCode } from './send-code.js';

@Controller()
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(checkAccount)
  checkAccount(@Input(checkAccount) input: InputOf<typeof checkAccount>, @Client() client: ClientInfo) {
    return this.queries.execute(new CheckAccount(input.account, client.ip));
  }

  @Endpoint(checkUsername)
  checkUsername(@Input(checkUsername) input: InputOf<typeof checkUsername>, @Client() client: ClientInfo) {
    return this.queries.execute(new CheckUsername(input.username, client.ip));
  }

  @Endpoint(sendVCode)
  sendVCode(@Input(sendVCode) input: InputOf<typeof sendVCode>, @Client() client: ClientInfo) {
    return this.commands.execute(new SendCode(input.account, client));
  }

  @Endpoint(register)
  register(@Input(register) input: InputOf<typeof register>, @Client() client: ClientInfo) {
    return this.commands.execute(new Register(input, client.ip));
  }

  @Endpoint(login)
  login(@Input(login) input: InputOf<typeof login>, @Client() client: ClientInfo) {
    return this.commands.execute(new LogIn(input, client));
  }

  @Endpoint(logout)
  logout(@Caller() caller: Caller) {
    return this.commands.execute(new LogOut(caller.sessionDigest));
  }

  @Endpoint(findEmail)
  findEmail(@Input(findEmail) input: InputOf<typeof findEmail>, @Client() client: ClientInfo) {
    return this.queries.execute(new FindEmail(input.accountOrEmail, client.ip));
  }

  @Endpoint(resetPwdByVcode)
  resetPassword(@Input(resetPwdByVcode) input: InputOf<typeof resetPwdByVcode>, @Client() client: ClientInfo) {
    return this.commands.execute(new ResetPassword(input, client.ip));
  }

  @Endpoint(changePassword)
  changePassword(@Caller() caller: Caller, @Input(changePassword) input: InputOf<typeof changePassword>) {
    return this.commands.execute(new ChangePassword(caller.userId, input.oldPassword, input.password));
  }
}
