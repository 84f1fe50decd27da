import type { SecretKind } from '../secret-kind.ts'
import { join, quote, value } from '../value-patterns.ts'

/** What a program that reads a secret is called with, up to where one knows. */
const rest = String.raw`[^\n|;&<]{0,160}`

/** Commands that read a secret from their standard input. */
const readers = [
  String.raw`sudo\s{1,4}-\w{0,3}S|passwd\s{1,4}--stdin|(?:smb|ch|vnc)passwd|cryptsetup|zfs\s{1,4}load-key|fscrypt\s{1,4}unlock|encfs|borg\s{1,4}init|[\w-]{1,40}keystore\s{1,4}add|kinit|kubeseal`,
  String.raw`[\w-]{1,40}(?:\s{1,4}[\w-]{1,20})?\s{1,4}login|op\s{1,4}signin|bw\s{1,4}unlock|lpass\s{1,4}(?:add|edit|login)`,
  String.raw`(?:go)?pass\s{1,4}(?:insert|add)|keepassxc-cli|secret-tool|gpg-preset-passphrase|wg\s{1,4}pubkey|vercel\s{1,4}env\s{1,4}add|llm\s{1,4}keys\s{1,4}set`,
  String.raw`(?:[\w@./-]{1,40}\s{1,4}){1,3}(?:secrets?[\s:](?:set|put|add|import|create|versions\s{1,4}add)|store-secret)`,
  String.raw`[\w./-]{1,40}\s${rest}--(?:(?:password|passwd|passphrase|token)-(?:on-|from-)?stdin|with-token|with-api-key|passphrase-fd|token(?=\s{0,4}<<<))`,
].join('|')

/** Variables that `read` fills with a secret. */
const readInto = String.raw`read\s${rest}(?:PASS(?:WORD|WD|PHRASE)?|PWD?|TOKEN|SECRET|API_?KEY|[Pp]ass(?:word|wd|phrase)?|[Tt]oken|[Ss]ecret)`

/** Secrets that are written to a program rather than given to it as an argument. */
export const streams: readonly SecretKind[] = [
  {
    kind: 'format',
    anchors: ['printf '],
    pattern: join(
      'y',
      String.raw`(printf\s{1,4}["'][^"'\n]{0,80}(?:TOKEN|SECRET|PASSWORD|PASS|KEY|token|secret|password|key)["\\]{0,3}[=:]\s?["\\]{0,3}%s[^"'\n]{0,20}["']\s{1,4}${quote})${value}`,
    ),
    look: 'opaque',
    samples: [String.raw`printf 'API_TOKEN=%s\n' «‹a40›» > .env`],
  },
  {
    kind: 'piped',
    anchors: ['echo ', 'printf '],
    pattern: join(
      'y',
      String.raw`((?:echo|printf)\s{1,4}(?:-[neE]{1,2}\s{1,4}|(?:'%s(?:\\n)?'|"%s(?:\\n)?"|%s)\s{1,4})?(?:["']?[\w.-]{1,40}:(?=[^|\n]{1,200}\|\s{0,4}(?:sudo\s)?chpasswd)|["'])?)`,
      String.raw`(?:(?<=")[^"\r\n]{3,}|(?<=')[^'\r\n]{3,}|(?<!["'])[^\s"'|;&<>]{3,})(?=["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?(?:${readers})(?![\w-]))`,
    ),
    look: 'any',
    samples: [
      'echo «hunter2» | sudo -S apt update',
      'echo "ada:«hunter2»" | sudo chpasswd',
      "echo -n '«correct horse»' | cryptsetup luksOpen a b -",
      'echo «‹a40›» | npx wrangler secret put X',
      "printf '%s' «hunter2» | docker secret create a -",
      'echo «hunter2» | openconnect --passwd-on-stdin vpn.a.b',
    ],
  },
  {
    kind: 'here-string',
    anchors: ['<<<'],
    pattern: join(
      'y',
      String.raw`((?<=(?<![\w-])(?:(?:${readers})(?:\s${rest})?|${readInto}\s{0,4}))<<<\s{0,4}${quote}(?:(?<=chpasswd\s{0,4}<<<\s{0,4}["']?)[\w.-]{1,40}:)?)${value}`,
    ),
    look: 'any',
    samples: [
      'docker login -u ada --password-stdin <<< "«hunter2»"',
      'passwd --stdin ada <<< «hunter2»',
      'sudo chpasswd <<< "ada:«hunter2»"',
      'read -rs DB_PASSWORD <<< «correct-horse»',
      'gh secret set A --repo b/c <<<«hunter2»',
    ],
  },
  {
    kind: 'substituted',
    anchors: ['<(echo ', '<(printf '],
    pattern: join(
      'y',
      String.raw`((?<=(?:pass(?:word|phrase|wd)?|token|secret|key)(?:-?file)?[=\s])<\((?:echo|printf)\s{1,4}(?:-[neE]{1,2}\s{1,4}|["']?%s(?:\\n)?["']?\s{1,4})?${quote})${value}`,
    ),
    look: 'any',
    samples: ['wg set wg0 private-key <(echo «‹b43›=»)', 'restic --password-file <(printf %s "«hunter2»") snapshots'],
  },
  {
    kind: 'expect',
    anchors: ['send "', 'send \\"', 'send -- "'],
    pattern: /(send (?:-- )?\\?")[^\s"\\]{4,200}(?=\\{1,2}[rn])/y,
    look: 'opaque',
    samples: [String.raw`expect "password:"; send "«hunter2»\r"`],
  },
]
