import type { Text } from '../../platform/cli-messages.js';

/** The messages about settings in Chinese, part by part; logs and starts say them in English. */
const CHINESE: readonly (readonly [en: RegExp, zh: string])[] = [
  [/: a whole number from (\d+) to (\d+)/, '：应为 $1–$2 的整数'],
  [/: a number from 0 to 1/, '：应为 0 到 1 的数'],
  [/: name=value, more of them after commas/, '：应为 名称=值，多个以逗号分隔'],
  [/: members could reach the servers of this network/, '：会员可借此访问本网络内的服务器，生产环境不可开启'],
  [
    /: an address that begins with redis:\/\/ or rediss:\/\/, or (\S+)/,
    '：应为 redis:// 或 rediss:// 开头的地址，或 $1',
  ],
  [/: an address that begins with (\S+)/, '：应为 $1 开头的地址'],
  [/: required with BACKUP_URL \((.+)\)/, '：设置了 BACKUP_URL 就必填（用 $1 生成）'],
  [/: required with an s3:\/\/ BACKUP_URL/, '：BACKUP_URL 为 s3:// 时必填'],
  [/: an absolute path or s3:\/\/bucket\/prefix/, '：应为绝对路径或 s3://桶/前缀'],
  [/: s3:\/\/bucket\/prefix/, '：应为 s3://桶/前缀'],
  [/: required in production/, '：生产环境必填'],
  [/: required/, '：必填'],
  [/: one of (.+?)(?=, not "|$)/, '：应为 $1 之一'],
  [/: not random \((.+)\)/, '：不是随机值（用 $1 生成）'],
  [/: 64 hexadecimal digits \((.+)\)/, '：应为 64 位十六进制数字（用 $1 生成）'],
  [/: 64 hexadecimal digits each/, '：每个应为 64 位十六进制数字'],
  [/: (.+) would let anybody claim any address/, '：$1 会让任何人冒充任何地址'],
  [/: addresses or networks, separated by commas/, '：应为地址或网段，以逗号分隔'],
  [/: absolute paths, separated by commas/, '：应为绝对路径，以逗号分隔'],
  [/: addresses/, '：应为地址'],
  [/: https, or passwords and sessions travel in the open/, '：应为 https，否则密码和会话以明文传输'],
  [
    /: without a password, whoever reaches it empties queues and limits/,
    '：没有密码，任何能连上的人都能清空队列和限流',
  ],
  [
    /: smtps:\/\/, or smtp:\/\/…\?requireTLS=true, or codes travel in the open/,
    '：应为 smtps://，或 smtp://…?requireTLS=true，否则验证码以明文传输',
  ],
  [/: https in production/, '：生产环境须为 https'],
  [/: the sandbox is for development only/, '：沙箱只用于开发'],
  [/^([A-Z0-9_]+) or ([A-Z0-9_]+)/, '$1 或 $2'],
  [/^([A-Z0-9_]+), or a (\w+) row of (\w+)/, '$1，或 $3 中的一行 $2'],
  [/: missing, while (\S+) is set/, '：缺失，而 $1 已设置'],
  [/: a time zone such as (\S+?)(?=,|$)/, '：应为时区，例如 $1'],
  [/: a time such as (\S+), or off/, '：应为 $1 这样的时间，或 off'],
  [/: a sender such as (.+?)(?=, not "|$)/, '：应为发件人，例如 $1'],
  [/: letters, digits, _ and -/, '：应为字母、数字、_ 和 -'],
  [/: some of (.+?), or none/, '：应为 $1 中的若干个，或 none'],
  [/: an RSA private key is needed, as PEM, base64 or the path of a file/, '：应为 RSA 私钥：PEM、base64 或文件路径'],
  [/: an RSA public key is needed, as PEM, base64 or the path of a file/, '：应为 RSA 公钥：PEM、base64 或文件路径'],
  [
    /: an Ed25519 private key is needed, as PEM, base64 or the path of a file \((.+)\)/,
    '：应为 Ed25519 私钥：PEM、base64 或文件路径（$1）',
  ],
  [/: the 32 characters of the APIv3 key/, '：应为 APIv3 密钥的 32 个字符'],
  [/: the file (.+) cannot be read( as JSON)?/, '：文件 $1 无法读取'],
  [/: printable ASCII without spaces/, '：应为不含空格的 ASCII 字符'],
  [/: an address without a query, a fragment or a password/, '：地址不能带参数、片段或密码'],
  [
    /: PostgreSQL refuses this user from this address; see its pg_hba\.conf/,
    '：PostgreSQL 不接受该用户从此地址登录，见 pg_hba.conf',
  ],
  [/: PostgreSQL refuses this user with this password/, '：PostgreSQL 拒绝该用户的密码'],
  [/: PostgreSQL has no database of this name; run (.+) first/, '：PostgreSQL 中没有这个数据库，先运行 $1'],
  [/: PostgreSQL has no role (\S+); run (.+) first/, '：PostgreSQL 中没有角色 $1，先运行 $2'],
  [
    /: the login is not a member of (\S+); as the owner: (GRANT \S+) TO the login/,
    '：登录账号不属于 $1；由属主执行 $2 TO 该账号',
  ],
  [
    /: works as (\S+), must work as (\S+); behind a pooler give it to the login: /,
    '：以 $1 的身份工作，应为 $2；经连接池时把角色给登录账号：',
  ],
  [
    /: signs in as a superuser, .*$/,
    '：以超级用户登录，可以改写账本；应为只属于受限角色、不拥有任何表的账号，属主写在 DATABASE_MIGRATION_URL',
  ],
  [
    /: signs in as the owner of the tables, .*$/,
    '：以表的属主登录，可以改写账本；应为只属于受限角色、不拥有任何表的账号，属主写在 DATABASE_MIGRATION_URL',
  ],
  [/, not (".*")$/, '，而不是 $1'],
];

/** A message about a setting, which begins with its name, in both languages. */
export const inLanguages = (en: string): Text => ({
  en,
  zh: CHINESE.reduce((text, [pattern, zh]) => text.replace(pattern, zh), en),
});
