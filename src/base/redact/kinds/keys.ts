import { beginApart, type SecretKind, token } from '../secret-kind.ts'

/** A line end of a key, also escaped or followed by a line number, as file viewers show it. */
const newLine = String.raw`(?:\\{1,4}[nr]|\s){1,12}(?:\d{1,6}[→\t]|[+>|-] ?)?`

/** Private keys, signed tokens and the hashes of passwords. */
export const keys: readonly SecretKind[] = [
  {
    kind: 'private-key',
    anchors: ['-----begin '],
    pattern: new RegExp(
      [
        '-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----',
        String.raw`(?:${newLine}[A-Za-z-]{1,20}: [^\r\n\\]{0,100}){0,6}`,
        `(?:${newLine})?[A-Za-z0-9+/]{16,}(?:${newLine}[A-Za-z0-9+/=]{16,})*`,
        `(?:(?:${newLine}[A-Za-z0-9+/=]{1,64}){0,2}(?:${newLine})?-----END [A-Z0-9 ]{0,60}-----)?`,
      ].join(''),
      'y',
    ),
    samples: [
      '«‹h›BEGIN PRIVATE KEY‹h›\n‹b64›\n‹b20›==\n‹h›END PRIVATE KEY‹h›»\n',
      'key = "«‹h›BEGIN RSA PRIVATE KEY‹h›\\n‹b64›\\n‹h›END RSA PRIVATE KEY‹h›»\\n"',
      '«‹h›BEGIN EC PRIVATE KEY‹h›\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n‹b64›\n‹h›END EC PRIVATE KEY‹h›»',
      '     1→«‹h›BEGIN OPENSSH PRIVATE KEY‹h›\n     2→‹b70›\n     3→‹h›END OPENSSH PRIVATE KEY‹h›»',
      '«‹h›BEGIN PGP PRIVATE KEY BLOCK‹h›\nVersion: GnuPG v2\n\n‹b64›\n=‹b4›\n‹h›END PGP PRIVATE KEY BLOCK‹h›»',
      'cut off: «‹h›BEGIN PRIVATE KEY‹h›\r\n‹b40›»',
    ],
  },
  token(
    'private-key-encoded',
    [
      'LS0tLS1CRUdJTiBSU0EgUFJJ LS0tLS1CRUdJTiBQUklW LS0tLS1CRUdJTiBFQyBQUklW LS0tLS1CRUdJTiBPUEVOU1NI',
      'LS0tLS1CRUdJTiBFTkNSWVBU LS0tLS1CRUdJTiBQR1AgUFJJ LS0tLS1CRUdJTiBEU0EgUFJJ',
    ].join(' '),
    '[A-Za-z0-9+/]{40,}={0,2}',
    'client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJ‹b300›=»',
  ),
  {
    kind: 'putty-key',
    anchors: ['private-lines:'],
    pattern: /(Private-Lines: \d{1,4}\r?\n)[A-Za-z0-9+/=]{16,}(?:\r?\n[A-Za-z0-9+/=]{16,}(?![A-Za-z0-9+/=:]))*/y,
    samples: ['Private-Lines: 2\n«‹b64›\n‹b40›»\nPrivate-MAC: 00'],
  },
  {
    kind: 'jwk',
    anchors: ['"d"'],
    pattern: /("d"\s{0,4}:\s{0,4}")[\w-]{32,}/y,
    samples: ['{"kty":"OKP","d":"«‹w43›»"}'],
  },
  {
    kind: 'jwt',
    anchors: ['eyj'],
    pattern: new RegExp(String.raw`${beginApart}eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`, 'y'),
    samples: ['«eyJ‹w20›.eyJ‹w30›.‹w43›»', 'cookie: s=«eyJ‹w20›.eyJ‹w30›.»'],
  },
  token('bcrypt', '$2a$ $2b$ $2y$', String.raw`\d{2}\$[A-Za-z0-9./]{53}`, 'hash «$2b$12$‹a53›»'),
  token(
    'crypt',
    '$1$ $5$ $6$ $7$ $y$ $apr1$ $gy$',
    String.raw`(?:[\w./=,]{1,40}\$){1,2}[A-Za-z0-9./]{22,}`,
    'ada:«$6$‹a16›$‹a86›»:19700',
    '«$apr1$‹a8›$‹a22›»',
  ),
  token(
    'argon2',
    '$argon2id$ $argon2i$ $argon2d$',
    String.raw`[\w=,$+/-]{30,}`,
    '«$argon2id$v=19$m=65536,t=3,p=4$‹b22›$‹b43›»',
  ),
  token('scrypt', '$scrypt$ scrypt:', String.raw`[\w=,:$+/-]{40,}`, '«scrypt:32768:8:1$‹a16›$‹x128›»'),
  token(
    'pbkdf2',
    'pbkdf2_sha256$ pbkdf2:sha256: pbkdf2_sha1$',
    String.raw`\d{3,8}\$[\w]{8,}\$[A-Za-z0-9+/]{27,}={0,2}`,
    '«pbkdf2_sha256$600000$‹a22›$‹b43›=»',
  ),
  token(
    'scram',
    'SCRAM-SHA-256$',
    String.raw`\d{3,6}:[A-Za-z0-9+/=]{20,}\$[A-Za-z0-9+/=]{20,}:[A-Za-z0-9+/=]{20,}`,
    '«SCRAM-SHA-256$4096:‹b22›==$‹b43›=:‹b43›=»',
  ),
  token(
    'ansible-vault',
    '$ANSIBLE_VAULT;',
    String.raw`[\d.]{1,6};AES256(?:;[\w-]{1,40})?(?:\s{1,40}[0-9a-f]{40,})+`,
    '«$ANSIBLE_VAULT;1.1;AES256\n          ‹x80›\n          ‹x80›»',
  ),
  {
    kind: 'wireguard',
    anchors: ['privatekey', 'presharedkey'],
    pattern: /((?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4})[A-Za-z0-9+/]{43}=/y,
    samples: ['PrivateKey = «‹b43›=»', 'PresharedKey=«‹b43›=»'],
  },
]
