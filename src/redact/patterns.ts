/** One kind of secret. The first group of the pattern, if it has one, is the part before the secret and is kept. */
export interface SecretPattern {
  name: string
  pattern: RegExp
  /** Texts that must be caught; the secret part stands between « and ». */
  samples: readonly string[]
}

/** Samples are put together here, so that no scanner takes this file for a leak. */
const fill = (length: number, alphabet = 'Ab3dE7gh'): string => alphabet.repeat(length).slice(0, length)

/** What stands where a secret could, but is none: a variable, a placeholder, a path, an expression, our own mark. */
const harmless = [
  String.raw`\[redacted:|\$[A-Za-z_{(]|[<{%]|\*{3}|\.{3}|(?:~|\.{1,2})?\/[\w.-]+\/`,
  String.raw`(?:true|false|null|none|undefined|process\.env|os\.environ|os\.getenv)(?!\w)`,
].join('|')

/** A value up to its closing quote, or up to the end of the word; a backslash ends it so that quoted JSON stays intact. */
const value = String.raw`(?!${harmless})(?:(?<=")[^"\\\r\n]{4,}|(?<=')[^'\\\r\n]{4,}|(?<!["'])[^\s"'\x60\\;&|<>()]{4,})`

/** Words of a sentence that speaks of a flag, not of its value. */
const prose = [
  '(?:to|and|or|is|as|in|on|the|an?|for|from|with|when|if|that|which|must|should|will|can|instead|via|into|by|but|not',
  String.raw`|it|you|flags?|options?|arguments?|parameters?|value|prompt|stdin)(?!\w)`,
].join('')

/** Other arguments of the same command. */
const gap = String.raw`(?:\s|\s[^\n|;&]{0,200}?\s)`

/** A line end of a key, also escaped or followed by a line number, as file viewers show it. */
const newLine = String.raw`(?:\\{1,4}[nr]|\s){1,12}(?:\d{1,6}[→\t])?`

const openQuote = String.raw`(?:\\?["'])?`

/** One expression of several parts, for those that do not fit a line. */
const join = (...parts: string[]): RegExp => new RegExp(parts.join(''), 'g')

/**
 * Each pattern takes linear time: what is unbounded in it cannot contain its own beginning.
 * Order matters: what is known exactly comes before what is recognised by its surroundings.
 */
export const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'jwt',
    pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g,
    samples: [`«eyJ${fill(20)}.eyJ${fill(30)}.${fill(43)}»`, `cookie: s=«eyJ${fill(20)}.eyJ${fill(30)}.»`],
  },
  {
    name: 'private-key',
    pattern: join(
      '-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----',
      String.raw`(?:${newLine}[A-Za-z-]{1,20}: [^\r\n\\]{0,100}){0,6}`,
      `(?:${newLine})?[A-Za-z0-9+/]{16,}(?:${newLine}[A-Za-z0-9+/=]{16,})*`,
      `(?:(?:${newLine}[A-Za-z0-9+/=]{1,64}){0,2}(?:${newLine})?-----END [A-Z0-9 ]{0,60}-----)?`,
    ),
    samples: [
      `«-----BEGIN PRIVATE KEY-----\n${fill(64)}\n${fill(20)}==\n-----END PRIVATE KEY-----»\n`,
      `key = "«-----BEGIN RSA PRIVATE KEY-----\\n${fill(64)}\\n-----END RSA PRIVATE KEY-----»\\n"`,
      `«-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${fill(64)}\n-----END EC PRIVATE KEY-----»`,
      `     1→«-----BEGIN OPENSSH PRIVATE KEY-----\n     2→${fill(70)}\n     3→-----END OPENSSH PRIVATE KEY-----»`,
      `«-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${fill(64)}\n=${fill(4)}\n-----END PGP PRIVATE KEY BLOCK-----»`,
      `cut off: «-----BEGIN PRIVATE KEY-----\r\n${fill(40)}»`,
    ],
  },
  {
    name: 'rein',
    pattern: /(agt_[0-9a-f-]{36}\.)[\w-]{43}(?![\w-])/g,
    samples: [`printenv: agt_0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b.«${fill(43)}»`],
  },
  {
    name: 'anthropic',
    pattern: /(?<![A-Za-z0-9])sk-ant-[\w-]{16,}/g,
    samples: [`«sk-ant-api03-${fill(93)}-${fill(8)}AA»`, `«sk-ant-oat01-${fill(86)}»`],
  },
  {
    name: 'openai',
    pattern: /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|[A-Za-z0-9]{20,})/g,
    samples: [`«sk-proj-${fill(60)}_${fill(60)}»`, `«sk-${fill(48)}»`, `key=«sk-or-v1-${fill(64, '0a1b2c3d')}»`],
  },
  {
    name: 'google',
    pattern: /(?<![A-Za-z0-9])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g,
    samples: [`https://maps.example/?key=«AIza${fill(35)}»`, `«ya29.${fill(60)}»`, `«GOCSPX-${fill(28)}»`],
  },
  {
    name: 'aws',
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    samples: [`«AKIA${fill(16, 'A1B2C3D4')}»`, `aws_access_key_id = «ASIA${fill(16, 'Z9Y8')}»`],
  },
  {
    name: 'aws-secret',
    pattern:
      /(aws_?(?:secret_?access_?key|session_?token)["'\\]{0,3}\s{0,4}[=:]\s{0,4}["'\\]{0,3})[A-Za-z0-9+/]{16,}={0,2}/gi,
    samples: [
      `aws_secret_access_key = «${fill(38)}/+»`,
      `"AWS_SESSION_TOKEN": "«${fill(120)}==»"`,
      `awsSecretAccessKey: '«${fill(40)}»'`,
    ],
  },
  {
    name: 'github',
    pattern: /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9_]{20,}|github_pat_\w{22,})/g,
    samples: [`«ghp_${fill(36)}»`, `https://«ghs_${fill(36)}»@github.com/a/b`, `«github_pat_${fill(22)}_${fill(59)}»`],
  },
  {
    name: 'gitlab',
    pattern:
      /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w-]{20,}(?:\.[A-Za-z0-9]{2,12}){0,2}/g,
    samples: [`«glpat-${fill(20)}»`, `«glrt-${fill(27)}.01.${fill(9)}»`],
  },
  {
    name: 'slack',
    pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/g,
    samples: [`«xoxb-${fill(12, '123')}-${fill(24)}»`, `«xapp-1-A${fill(10)}-${fill(64, '0af')}»`],
  },
  {
    name: 'webhook',
    pattern: /((?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]{16,}/g,
    samples: [
      `https://hooks.slack.com/services/«T${fill(8)}/B${fill(8)}/${fill(24)}»`,
      `https://discord.com/api/webhooks/«${fill(18, '123')}/${fill(68)}»`,
    ],
  },
  {
    name: 'stripe',
    pattern: /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}={0,2})/g,
    samples: [`«sk_live_${fill(24)}»`, `«rk_test_${fill(99)}»`, `«whsec_${fill(32)}»`],
  },
  {
    name: 'npm',
    pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36,}/g,
    samples: [`«npm_${fill(36)}»`],
  },
  {
    name: 'npmrc',
    pattern: join(String.raw`(:_(?:authToken|auth|password)=${openQuote})${value}`),
    samples: ['//registry.npmjs.org/:_authToken=«0b1c2d3e-1111-2222-3333-444455556666»', ':_auth="«YWRhOmh1bnRlcjI=»"'],
  },
  {
    name: 'telegram',
    pattern: /(?<!\d)\d{8,10}:[\w-]{35}(?![\w-])/g,
    samples: [`https://api.telegram.org/bot«123456789:AA${fill(33)}»/getMe`, `«7123456789:AA${fill(32)}-»`],
  },
  {
    name: 'discord',
    pattern: /(?<![\w-])[MNO][DTjz][AEIMQUYcgk][\w-]{21,25}\.[\w-]{6}\.[\w-]{27,}/g,
    samples: [`«MTI${fill(21)}.${fill(6)}.${fill(27)}»`, `Bot «NzE${fill(23)}.G${fill(5)}.${fill(38)}»`],
  },
  {
    name: 'azure',
    pattern:
      /((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,}={0,2}|(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
    samples: [
      `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«${fill(86)}==»;EndpointSuffix=core.windows.net`,
      `Endpoint=sb://a;SharedAccessKeyName=n;SharedAccessKey=«${fill(43)}=»`,
      `«${fill(3)}8Q~${fill(34)}»`,
    ],
  },
  {
    name: 'azure-sas',
    pattern: /([?&]sig=)[A-Za-z0-9%+/-]{30,}={0,2}/g,
    samples: [`https://a.blob.core.windows.net/c?sv=2022-11-02&sig=«${fill(42)}%3D»&se=2030`],
  },
  {
    name: 'hugging-face',
    pattern: /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,})/g,
    samples: [`«hf_${fill(34)}»`, `«api_org_${fill(34)}»`],
  },
  {
    name: 'bearer',
    pattern: /(\bbearer\s{1,4})(?=[A-Za-z._~+/-]*\d)[\w.~+/-]{8,}={0,2}/gi,
    samples: [`Authorization: Bearer «${fill(30)}»`, `curl -H 'authorization: bearer «abc.def_123~x/y+z==»'`],
  },
  {
    name: 'authorization',
    pattern:
      /(\bauthorization["'\\]{0,3}\s{0,4}[:=]\s{0,4}["'\\]{0,3}(?:basic|token|digest)\s{1,4})[\w.+/-]{6,}={0,2}/gi,
    samples: ['Authorization: Basic «YWRhOmh1bnRlcjI=»', String.raw`{\"Authorization\": \"token «${fill(12)}»\"}`],
  },
  {
    name: 'api-key-header',
    pattern:
      /(\b(?:x-api-key|x-goog-api-key|x-auth-token|private-token|api-key)["'\\]{0,3}\s{0,4}:\s{0,4}["'\\]{0,3})(?=[A-Za-z._~+/-]*\d)[\w.~+/-]{8,}={0,2}/gi,
    samples: [`x-api-key: «${fill(20)}»`, `{"api-key": "«${fill(32, '0af9')}»"}`],
  },
  {
    name: 'url-password',
    pattern: /(:\/\/[^\s:@/?#"'<>[]{0,128}:)(?!\[redacted:|[${<*])[^\s@/"'<>]+(?=@)/g,
    samples: ['postgres://ada:«hunter2»@db.example/app', 'redis://:«p:ss%40word»@localhost:6379'],
  },
  {
    name: 'mysql-password',
    pattern: join(String.raw`(\b(?:mysql|mariadb)[a-z-]{0,12}${gap}-p${openQuote})${value}`),
    samples: ['mysql -u root -p«hunter2» app', `mysqldump --all -p'«correct horse»' > dump.sql`, 'mariadb -p«s3cret»'],
  },
  {
    name: 'argument',
    pattern: join(String.raw`(\b(?:sshpass\s-p|redis-cli${gap}-a|docker\slogin${gap}-p)\s{0,4}${openQuote})${value}`),
    samples: [
      'sshpass -p «hunter2» ssh ada@host',
      'redis-cli -h x -a «hunter2» ping',
      `docker login -u ada -p "«hunter 2»"`,
    ],
  },
  {
    name: 'curl-user',
    pattern: join(String.raw`(\bcurl${gap}(?:-u|--user)[=\s]{0,2}["']?[^\s:"'\\[]{1,64}:)(?!${harmless})[^\s"'\\]{3,}`),
    samples: ['curl -s -u ada:«hunter2» https://example.org', `curl --user "ada:«hunter2»" https://example.org`],
  },
  {
    name: 'flag',
    pattern: join(
      '(--[a-z0-9-]{0,30}(?:password|passwd|passphrase|token|secret|api-?key|access-?key|secret-?key)',
      String.raw`(?:=|\s{1,4})${openQuote})(?!(?<!["'])(?:-|${prose}))`,
      value,
    ),
    samples: [
      'tool --password «hunter2» --user ada',
      `tool --api-key="«a b c d»"`,
      String.raw`tool --db-password=\"«hunter2»\"`,
    ],
  },
  {
    name: 'assignment',
    pattern: join(
      '((?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY)',
      '(?!_(?:FILE|PATH|DIR|URL|URI|COUNT|LIMIT|TTL|LENGTH|SIZE|TYPE|NAME|ID|BUDGET|ENDPOINT)(?![A-Z0-9]))',
      String.raw`(?:_[A-Z0-9_]{1,40})?(?:=|\s{0,4}=\s{0,4}(?=\\?["']))${openQuote})`,
      value,
    ),
    samples: [
      'export DB_PASSWORD=«hunter2» && run',
      'FOO_SECRET="«correct horse battery»"',
      `SECRET_KEY = '«django-insecure-$x»'`,
      String.raw`env: {\"TOKEN=«abcdef»\"}`,
      'API_KEY=«0123-abcd»; echo',
    ],
  },
  {
    name: 'parameter',
    pattern:
      /((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)=(?:\\?["'])?)(?=[A-Za-z_+/~!@#%^*-]*\d)[\w+/~!@#%^*-]{6,}={0,2}(?![\w+/~!@#%^*.([-])/gi,
    samples: [
      'host=db user=ada password=«hunter2»',
      'https://example.org/cb?access_token=«a1b2c3d4»&x=1',
      'Pwd=«S3cr3t!!»;',
    ],
  },
  {
    name: 'json-field',
    pattern:
      /(\\?"[\w-]{0,40}(?:password|passwd|secret|token|api_?key|access_?key|private_?key)\\?"\s{0,4}:\s{0,4}\\?")(?!\[redacted:|\$)(?=[^\s"\\\d]*\d)[^\s"\\]{6,}(?=\\?")/gi,
    samples: ['{"password":"«hunter2»"}', String.raw`{\"client_secret\": \"«s3cr3t-value»\"}`],
  },
]
