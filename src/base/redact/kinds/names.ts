import type { SecretKind } from '../secret-kind.ts'
import { bare, encoding, join, prose, quote, space, value } from '../value-patterns.ts'

/** Not the tokens of pages, parsers and language models. */
const tokenWord = '(?<!page_?|next_?|continue_?|continuation_?|sync_?|stop_|pad_|eos_|bos_|mask_|unk_|cls_|sep_)token'

/** Names whose value is a secret. */
const names = [
  String.raw`password|passwd|passwort|passphrase|(?<![a-z])pwd|(?:(?<![a-z0-9])|(?<=db|admin|root|user))pw|(?:(?<![a-z])|(?<=_|db|ssh|smtp|store|user))pass`,
  `secret|${tokenWord}|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|auth[_-]?key|signing[_-]?key`,
  'master[_-]?key|encryption[_-]?key|account[_-]?key|license[_-]?key|hmac[_-]?key|credentials?|secret_key_base',
].join('|')
const nameAnchors =
  'pw pass secret token api_key api-key apikey access_key access-key accesskey private_key private-key privatekey auth_key auth-key authkey signing_key signing-key signingkey master_key master-key masterkey encryption_key encryption-key encryptionkey account_key account-key accountkey license_key license-key licensekey hmac_key hmac-key hmackey credential'.split(
    ' ',
  )

/** A name that goes on like this names something about the secret. */
const about = [
  'FILE|PATH|DIR|URL|URI|COUNT|LIMIT|TTL|LENGTH|SIZE|TYPE|NAME|ID|BUDGET|ENDPOINT|PROVIDER|MODE|EXPIR[A-Z]*|MIN|MAX',
  'PREFIX|SUFFIX|POLICY|HASHERS?|STORE|MANAGER|HOST|PORT|HEADER|FORMAT|ALG[A-Z]*|LIFETIME|AGE|ROTATION|ENABLED',
  'REQUIRED|VERSION|REGION|ISSUER|AUDIENCE|SCOPES?|REF|ARN|FIELD|HELPER|COMMAND|CMD|SOCK|MIN_LENGTH|MAX_LENGTH',
].join('|')

/** Secrets that have a name beside them: variables, flags, fields of files, parameters. */
export const named: readonly SecretKind[] = [
  {
    kind: 'aws-secret',
    anchors: ['aws_secret', 'awssecret', 'aws_session', 'awssession'],
    pattern:
      /(aws_?(?:secret_?access_?key|session_?token)["'\\]{0,3}\s{0,4}[=:\s]\s{0,4}["'\\]{0,3})[A-Za-z0-9+/]{16,}={0,2}/iy,
    samples: [
      'aws_secret_access_key = «‹a38›/+»',
      '"AWS_SESSION_TOKEN": "«‹b120›==»"',
      "awsSecretAccessKey: '«‹b40›»'",
      'aws configure set aws_secret_access_key «‹b40›»',
    ],
  },
  {
    kind: 'assignment',
    anchors: [
      'secret',
      'token',
      'pass',
      'api_key',
      'apikey',
      'access_key',
      'private_key',
      '_pass',
      '_pwd',
      'pw',
      'sshpass',
      'rediscli_auth',
    ],
    pattern: join(
      'y',
      '((?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|_PASS|_PWD|(?<![A-Z0-9])PW|SSHPASS|REDISCLI_AUTH)',
      `(?!(?:_[A-Z0-9]{1,30}){0,3}_(?:${about})(?![A-Z0-9]))`,
      String.raw`(?:_[A-Z0-9_]{1,40})?(?:=|\s{0,4}=\s{0,4}(?=\\?["']))${quote}${encoding})`,
      value,
    ),
    look: 'any',
    samples: [
      'export DB_PASSWORD=«hunter2» && run',
      'FOO_SECRET="«correct horse battery»"',
      "SECRET_KEY = '«django-insecure-$x»'",
      String.raw`env: {\"TOKEN=«abcdef»\"}`,
      'API_KEY=«0123-abcd»; echo',
      'docker run -e "SA_PASSWORD=«hunter2»" mssql',
      'MYSQL_PWD=«hunter2» mysql',
      'export ADMIN_PW=«correct-horse»',
    ],
  },
  {
    kind: 'key-assignment',
    anchors: [
      'key=',
      'key =',
      '_pat=',
      '_auth=',
      '_credentials=',
      '_dsn=',
      '_cookie=',
      '_session=',
      '_salt=',
      '_pepper=',
    ],
    pattern: join(
      'y',
      String.raw`((?:(?<=[A-Z0-9]_?)(?<!(?:PUBLIC|PUB|CACHE|IDEMPOTENCY|PRIMARY|FOREIGN|SORT|PARTITION|HOST|GROUP|ROUTING)_?)KEY|_PAT|_AUTH|_CREDENTIALS|_DSN|_COOKIE|_SESSION|_SALT|_PEPPER)`,
      String.raw`(?:=|\s=\s(?=["']))${quote}${encoding})${value}`,
    ),
    look: 'random',
    samples: [
      'RAILS_MASTER_KEY=«‹x32›» run',
      'AZURE_DEVOPS_EXT_PAT=«‹n52›»',
      'APP_KEY=base64:«‹b43›=»',
      'BW_SESSION="«‹b86›==»"',
    ],
  },
  {
    kind: 'shell-variable',
    anchors: [
      'set -',
      'setx ',
      'setenv ',
      'env:set ',
      'env set ',
      'env add ',
      'secrets:set ',
      'secret set ',
      'config set ',
    ],
    pattern: join(
      'y',
      String.raw`((?:set -[A-Za-z]{1,4}|setx|setenv|(?:env|secrets):set|env (?:set|add)|secret set|config set)\s{1,4}`,
      String.raw`(?:-{1,2}[\w-]{1,20}\s{1,4}){0,2}\w{0,40}(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASS|PWD|[Tt]oken|Key|[Ss]ecret|[Pp]assword)\s{1,4}${quote})${value}`,
    ),
    look: 'opaque',
    samples: [
      'set -gx OPENWEATHER_KEY «‹x32›»',
      "set -Ux MY_PASSWORD '«hunter 22»'",
      'setx API_TOKEN "«hunter22»"',
      'netlify env:set AUTH_SECRET «‹a40›»',
    ],
  },
  {
    kind: 'secret-value',
    anchors: ['secrets set ', 'secret set ', 'variable set '],
    pattern: join(
      'y',
      String.raw`((?:secrets? set|variable set)\s{1,4}(?:-{1,2}[\w-]{1,20}\s{1,4}){0,2}[A-Z][A-Z0-9_]{0,60}\s{1,4}(?![-#])${quote})${value}(?=["']?(?:\s{0,4}(?:$|[\r\n;&|>)#])|\s{1,4}-|["'\x60]))`,
    ),
    look: 'any',
    samples: ['doppler secrets set RELAY «correct-horse»', 'glab variable set DEPLOY_TOKEN "«hunter2»" --masked'],
  },
  {
    kind: 'name-and-value',
    anchors: ['token', 'secret', 'password', 'passwd', '_key', '_pass'],
    pattern: join(
      'iy',
      String.raw`((?:token|secret|password|passwd|_key|_pass)\\?["']?(?:\s{0,4}\n\s{1,20}|\s{0,4},\s{0,4}|\s{1,4})\\?["']?value\\?["']?[:=]\s{0,4}${quote})${value}`,
    ),
    look: 'opaque',
    samples: [
      '- name: API_TOKEN\n  value: "«‹a32›»"',
      '{"name":"DB_PASSWORD","value":"«hunter2»"}',
      '<add key="ApiSecret" value="«hunter2»" />',
    ],
  },
  {
    kind: 'quoted-setting',
    anchors: ['password ', 'secret ', 'token '],
    pattern: /((?:(?<=store|key)password|(?<!\w)(?:secret|token|password))[ \t]{1,4}\\?["'])[^\s"'\\]{6,}(?=\\?["'])/iy,
    look: 'random',
    samples: ['storePassword "«‹a20›»"', "CREATE SECRET (KEY_ID 'x', SECRET '«‹b40›»');"],
  },
  {
    kind: 'gradle-signing',
    anchors: ['storepassword ', 'keypassword '],
    pattern: /((?:storePassword|keyPassword)[ \t]{1,4}["'])[^"'\n]{4,}(?=["'])/y,
    look: 'any',
    samples: ['storePassword "«hunter2»"'],
  },
  {
    kind: 'credentials-pair',
    anchors: ['auth=(', 'basicauth(', 'userpassword('],
    pattern: join('iy', String.raw`((?:auth=|basicauth|userpassword)\(["'][^"'\n]{1,64}["'],\s{0,2}["'])${value}`),
    look: 'any',
    samples: ['requests.get(url, auth=("ada", "«hunter2»"))', "HTTPBasicAuth('ada', '«hunter2»')"],
  },
  {
    kind: 'flag',
    anchors: [...nameAnchors, 'storepass', 'keypass'],
    pattern: join(
      'iy',
      String.raw`((?<=(?:^|[\s"'(\[,=])--?[a-z0-9_.-]{0,30})(?:${names}|storepass|keypass|pass)`,
      String.raw`(?:=|${space})${quote}${encoding}(?:[a-z]{2,20}=(?=[\w-]{16}))?)(?!(?<!["'])(?:-|pass:|${prose}))${value}`,
    ),
    look: 'any',
    samples: [
      'tool --password «hunter2» --user ada',
      'tool --api-key="«a b c d»"',
      String.raw`tool --db-password=\"«hunter2»\"`,
      'keytool -storepass «hunter2» -alias a',
      'wsadmin.sh -user ada -password «hunter2»',
      'cast send --private-key 0x«‹x64›»',
      'odoo --db_password «correct-horse»',
      'certbot --eab-hmac-key «‹w43›»',
    ],
  },
  {
    kind: 'named-argument',
    anchors: ['--arg ', '--argstr '],
    pattern: join('iy', String.raw`(--arg(?:str)?\s{1,4}["']?\w{0,40}(?:${names})["']?\s{1,4}${quote})${value}`),
    look: 'any',
    samples: ["jq -n --arg password «correct-horse» '{$password}'", 'nix-build --argstr apiToken "«hunter2»"'],
  },
  {
    kind: 'user-and-password',
    anchors: [' -p '],
    pattern: join(
      'iy',
      String.raw`((?<=\s(?:-u|--user(?:name)?)[= ](?![\d$])[\w.@-]{1,64})(?<!(?:mysql|mariadb)[^\n|;&]{0,100}) -p ${quote})(?!["']?[\d.]*:\d)${value}`,
    ),
    look: 'opaque',
    samples: ['cypher-shell -u neo4j -p «hunter2»', 'cosign login a.b --username ada -p "«hunter 2»"'],
  },
  {
    kind: 'kubectl-literal',
    anchors: ['--from-literal'],
    pattern: join(
      'y',
      String.raw`(--from-literal(?:=|${space})["']?[\w.-]{1,100}=${quote})`,
      String.raw`(?:(?<=="[\w.-]{1,100}=|\s"[\w.-]{1,100}=)[^"\r\n]{3,}|(?<=='[\w.-]{1,100}=|\s'[\w.-]{1,100}=)[^'\r\n]{3,}|${value})`,
    ),
    look: 'any',
    samples: [
      'kubectl create secret generic a --from-literal=relay=«hunter2»',
      "kubectl -n p create secret generic a --from-literal='KEY=«hunter 2»'",
      'oc create secret generic a --from-literal relay="«hunter 2»"',
    ],
  },
  {
    kind: 'credentials-flag',
    anchors: ['creds', '--auth', '--basic-auth'],
    pattern: join(
      'y',
      String.raw`((?:(?<=\s--(?:src-|dest-)?)creds|--(?:basic-)?auth)(?:=|${space})${quote}[\w.@-]{1,64}:)${value}`,
    ),
    look: 'any',
    samples: ['skopeo copy --src-creds ada:«hunter2» docker://a dir:b', 'ngrok http 80 --basic-auth="ada:«hunter2»"'],
  },
  {
    kind: 'auth-flag',
    anchors: ['--auth', '--key', '--otp', '--sas', '--cookie', '--session'],
    pattern: join('y', String.raw`(--(?:auth|key|otp-secret|sas|cookie|session)(?:=|\s{1,4})${quote})${value}`),
    look: 'random',
    samples: ['netlify deploy --auth «‹a40›» --prod'],
  },
  {
    kind: 'slash-flag',
    anchors: ['/p:', '/pass:', '/password:'],
    pattern: join('iy', String.raw`((?<=\s)\/(?:p|pass|password):${quote})${value}`),
    look: 'any',
    samples: ['xfreerdp /u:ada /p:«hunter2»', 'cmdkey /add:s /user:ada /pass:«hunter2»'],
  },
  {
    kind: 'parameter',
    anchors: nameAnchors,
    pattern: join('iy', String.raw`((?:${names})=${quote}${encoding})${value}`),
    look: 'opaque',
    samples: [
      'host=db user=ada password=«hunter2»',
      'https://example.org/cb?access_token=«a1b2c3d4»&x=1',
      'Pwd=«S3cr3t!!»;',
      'mount -o username=ada,password=«hunter2»,uid=1000',
      "terraform apply -var 'db_password=«hunter2»'",
      'packer build -var admin_pw=«hunter2» a.hcl',
    ],
  },
  {
    kind: 'setting',
    anchors: [...nameAnchors],
    pattern: join('iy', String.raw`((?:${names})[ \t]{1,12}=[ \t]{1,12}${quote})${value}`),
    look: 'opaque',
    samples: ['[pypi]\npassword = «hunter22»', 'client_secret = "«‹a32›»"', 'secret_key = «‹b40›»', 'pass = «‹w32›»'],
  },
  {
    kind: 'json-field',
    anchors: nameAnchors,
    pattern: join('iy', String.raw`((?:${names})\\?["']\]?\s{0,4}(?::|=>?|,)?\s{0,4}\\?["'])${value}`),
    look: 'opaque',
    samples: [
      '{"password":"«hunter2»"}',
      String.raw`{\"client_secret\": \"«s3cr3t-value»\"}`,
      "define('DB_PASSWORD', '«hunter2»');",
      `sops --set '["db"]["password"] "«hunter2»"' a.yaml`,
      'dotnet user-secrets set "Smtp:Password" "«hunter2»"',
    ],
  },
  {
    kind: 'field',
    anchors: [...nameAnchors, 'npmauthtoken', 'unseal key', 'secret key', 'api key', 'access key'],
    pattern: join(
      'iy',
      String.raw`((?:${names}|unseal key|secret key|api key|access key)(?: \d)?(?: is| was)?[ \t]{0,4}(?::|=>)[ \t]{1,12}${quote})${value}`,
    ),
    look: 'opaque',
    samples: [
      'db:\n  password: «hunter2x»',
      'Client secret: «‹a36›»',
      'Your new password is: «hunter2x»',
      'Unseal Key 1: «‹b43›=»',
      "new Pool({ password: '«hunter2»' })",
    ],
  },
  {
    kind: 'xml-element',
    anchors: ['password>', 'passphrase>', 'secret>', 'token>', 'apikey>', 'privatekey>'],
    pattern: /((?:password|passphrase|secret|token|apikey|privatekey)>)[^<>\s]{4,500}(?=<\/)/iy,
    look: 'any',
    samples: ['<server><password>«hunter2»</password></server>'],
  },
  {
    kind: 'docker-auth',
    anchors: ['"auth"', '"identitytoken"'],
    pattern: /(\\?"(?:auth|identitytoken)\\?"\s{0,4}:\s{0,4}\\?")[A-Za-z0-9+/_.-]{12,}={0,2}/y,
    look: 'opaque',
    samples: ['{"auths":{"ghcr.io":{"auth":"«‹b28›==»"}}}'],
  },
  {
    kind: 'npmrc',
    anchors: ['_authtoken', '_auth=', '_password='],
    pattern: join('y', String.raw`(_(?:authToken|auth|password)(?:=|\s{1,4})${quote})${value}`),
    look: 'any',
    samples: ['//registry.npmjs.org/:_authToken=«‹g›»', ':_auth="«‹b20›==»"', '_auth=«‹b20›==»'],
  },
  {
    kind: 'netrc',
    anchors: ['password'],
    pattern: join('y', String.raw`((?<=login\s{1,4}\S{1,64}\s{1,8})password\s{1,4})${bare}`),
    look: 'any',
    samples: ['machine a.b login ada password «hunter2»', 'machine a.b\n  login ada\n  password «hunter2»'],
  },
  {
    kind: 'sql',
    anchors: ['password ', 'password(', 'identified by', 'identified with'],
    pattern:
      /((?:(?<![A-Za-z])PASSWORD(?: FOR '[^'\n]{1,64}'(?:@'[^'\n]{1,64}')? =)?(?:\s{1,4}|\()|IDENTIFIED (?:WITH [\w']{1,40} )?BY (?:PASSWORD )?)\\?')[^'\\\r\n]{3,}(?=\\?')/iy,
    look: 'any',
    samples: [
      "ALTER USER app WITH PASSWORD '«hunter2»';",
      "CREATE USER 'a'@'%' IDENTIFIED BY '«hunter2»'",
      "PASSWORD('«hunter2»')",
    ],
  },
  {
    kind: 'redis',
    anchors: ['requirepass ', 'masterauth ', 'auth '],
    pattern: join('y', String.raw`((?:requirepass|masterauth|(?<=> )AUTH(?: \w{1,40}(?= \S))?) ${quote})${value}`),
    look: 'any',
    samples: [
      'requirepass «hunter2»',
      '127.0.0.1:6379> AUTH default «hunter2»',
      'redis-server --requirepass «hunter2»',
    ],
  },
  {
    kind: 'redis-auth',
    anchors: ['auth ', 'setuser '],
    pattern: join(
      'iy',
      String.raw`((?<=(?:redis|valkey|keydb)-cli\s(?:[^\n|;&]{0,100}\s)?["']?)(?:auth (?:\w{1,40}(?= \S) )?|(?:acl )?setuser \w{1,40} (?:\w{1,20} ){0,3}["']?>)${quote})${value}`,
    ),
    look: 'any',
    samples: ['redis-cli -h a AUTH «correct-horse»', "redis-cli ACL SETUSER ada on '>«hunter2»' ~*"],
  },
  {
    kind: 'pdf-password',
    anchors: ['--encrypt '],
    pattern: join('y', String.raw`(--encrypt\s{1,4}${quote})${value}(?=["']?\s{1,4}\S{1,64}\s{1,4}(?:40|128|256)\s)`),
    look: 'any',
    samples: ['qpdf --encrypt «hunter2» "" 256 -- a.pdf b.pdf'],
  },
  {
    kind: 'pdf-owner-password',
    anchors: ['--encrypt '],
    pattern: join(
      'y',
      String.raw`(--encrypt\s{1,4}(?!-)\S{1,64}\s{1,4}${quote})${value}(?=["']?\s{1,4}(?:40|128|256)\s)`,
    ),
    look: 'any',
    samples: ['qpdf --encrypt "" «hunter2» 256 -- a.pdf b.pdf'],
  },
  {
    kind: 'ftp-open',
    anchors: ['open -u '],
    pattern: join('y', String.raw`(open -u \S{1,64}?,)${value}`),
    look: 'any',
    samples: ["lftp -e 'open -u ada,«hunter2» a.b; ls'"],
  },
  {
    kind: 'sonar',
    anchors: ['sonar.login'],
    pattern: join('y', String.raw`(sonar\.login\s{0,4}[=:]\s{0,4}${quote})${value}`),
    look: 'opaque',
    samples: ['sonar-scanner -Dsonar.login=«‹x40›»'],
  },
  {
    kind: 'passphrase-source',
    anchors: ['pass:'],
    pattern: join('y', String.raw`((?<=-pass(?:in|out|word)?[=\s]["']?)pass:${quote})${value}`),
    look: 'any',
    samples: ['openssl rsa -passin pass:«hunter2» -in a', 'openssl enc -pass pass:"«hunter2»"'],
  },
  {
    kind: 'http-basic',
    anchors: ['http-basic.'],
    pattern: join('y', String.raw`(http-basic\.[\w.-]{1,100}\s{1,4}\S{1,64}\s{1,4}${quote})${value}`),
    look: 'any',
    samples: ['poetry config http-basic.acme ada «hunter2»', 'composer config http-basic.a.b ada «hunter2»'],
  },
  {
    kind: 'registry-token',
    anchors: ['pypi-token.', 'github-oauth.', 'gitlab-token.', 'gitlab-oauth.'],
    pattern: join(
      'y',
      String.raw`((?:pypi-token|github-oauth|gitlab-token|gitlab-oauth)\.[\w.-]{1,100}\s{1,4}${quote})${value}`,
    ),
    look: 'any',
    samples: ['poetry config pypi-token.acme «hunter2»', 'composer config -g github-oauth.github.com «‹a40›»'],
  },
  {
    kind: 'config-value',
    anchors: ['config ', 'configure set ', 'remote modify '],
    pattern: join(
      'y',
      String.raw`((?:config\s{1,4}(?:(?:(?:set|add|-{1,2}[\w-]{1,20})\s{1,4}){1,3}|(?=[\w:/-]{1,80}\.))|configure set\s{1,4}|remote modify\s{1,4}(?:--\w{1,20}\s{1,4})?[\w-]{1,40}\s{1,4})[\w.:/-]{0,80}`,
      String.raw`(?:[Pp]assword|passwd|(?<![a-z])pass|smtppass|[Tt]oken|[Ss]ecret|api[_-]?key|access[_-]?key)\s{1,4}(?!["']?(?:-|${prose}))${quote})${value}`,
    ),
    look: 'any',
    samples: [
      'git config --global sendemail.smtppass «correct-horse»',
      'doppler configure set token «hunter2»',
      'dvc remote modify --local a password «hunter2»',
    ],
  },
  {
    kind: 'wifi',
    anchors: ['psk='],
    pattern: join('y', String.raw`(psk=${quote})${value}`),
    look: 'any',
    samples: ['psk="«correct horse»"'],
  },
  {
    kind: 'mnemonic',
    anchors: ['mnemonic', 'seed phrase', 'seed_phrase', 'recovery phrase'],
    pattern:
      /((?:mnemonic|(?:seed|recovery)[ _]phrase)\\?["']?\s{0,2}[:=]?\s{0,2}\\?["']?)(?:[a-z]{3,8} ){11,23}[a-z]{3,8}/iy,
    samples: ['MNEMONIC="«test walk orbit velvet lunar draft agree noble puzzle harbor siege olive»"'],
  },
  {
    kind: 'session-cookie',
    anchors: ['session', 'sessid', 'connect.sid', 'csrftoken', 'xsrf', '_sid', 'remember'],
    pattern:
      /((?:session(?:[_-]?id)?|sessid|connect\.sid|csrftoken|xsrf-token|_sid|remember_[a-z_]{1,20})[=\t])(?![0-9a-f]{8}-[0-9a-f]{4}-)[\w%.~+/-]{16,}={0,2}/iy,
    look: 'random',
    samples: ['Cookie: sessionid=«‹n32›»', 'Set-Cookie: PHPSESSID=«‹n26›»; Path=/', 'connect.sid=«s%3A‹w32›.‹a43›»'],
  },
]
