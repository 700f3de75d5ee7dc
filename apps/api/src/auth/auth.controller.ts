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
  secondStep,
  sendVCode,
} from '@yiqiao/contracts/login';
import {
  confirmTwoStep,
  disableTwoStep,
  enrolTwoStep,
  getTwoStep,
  renewRecoveryCodes,
} from '@yiqiao/contracts/two-step';
import { changePassword } from '@yiqiao/contracts/user';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ChangePassword } from './change-password.js';
import { CheckAccount, CheckUsername } from './check-names.js';
import { FindEmail } from './find-email.js';
import { LogIn, TakeSecondStep } from './log-in.js';
import { LogOut } from './log-out.js';
import { Register } from './register.js';
import { ResetPassword } from './reset-password.js';
import { SendCode } from './send-code.js';
import { ChangeTwoStep, EnrolTwoStep, GetTwoStep, type TwoStepChange } from './two-step-commands.js';

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

  @Endpoint(secondStep)
  secondStep(@Input(secondStep) input: InputOf<typeof secondStep>, @Client() client: ClientInfo) {
    return this.commands.execute(new TakeSecondStep(input, client));
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

  @Endpoint(getTwoStep)
  twoStep(@Caller() caller: Caller) {
    return this.queries.execute(new GetTwoStep(caller.userId));
  }

  @Endpoint(enrolTwoStep)
  enrol(@Caller() caller: Caller, @Input(enrolTwoStep) input: InputOf<typeof enrolTwoStep>) {
    return this.commands.execute(new EnrolTwoStep(caller.userId, input.password));
  }

  @Endpoint(confirmTwoStep)
  async confirm(@Caller() caller: Caller, @Input(confirmTwoStep) input: InputOf<typeof confirmTwoStep>) {
    const { sessionDigest } = caller;
    return { recoveryCodes: await this.#changeTwoStep(caller, { what: 'confirm', sessionDigest, ...input }) };
  }

  @Endpoint(renewRecoveryCodes)
  async renewCodes(@Caller() caller: Caller, @Input(renewRecoveryCodes) input: InputOf<typeof renewRecoveryCodes>) {
    return { recoveryCodes: await this.#changeTwoStep(caller, { what: 'recoveryCodes', ...input }) };
  }

  @Endpoint(disableTwoStep)
  async disable(@Caller() caller: Caller, @Input(disableTwoStep) input: InputOf<typeof disableTwoStep>): Promise<true> {
    await this.#changeTwoStep(caller, { what: 'disable', ...input });
    return true;
  }

  #changeTwoStep({ userId }: Caller, change: TwoStepChange): Promise<string[]> {
    return this.commands.execute(new ChangeTwoStep(userId, change));
  }
}
