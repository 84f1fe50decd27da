import type { SecretKind } from '../secret-kind.ts'
import { join } from '../value-patterns.ts'

/** What a person calls it in a sentence. */
const password = '(?:pass(?:word|wd|wort|phrase|code)|kennwort|(?<![a-z])(?:pwd|pw))'
/** `for the staging database`: whose it is. */
const whose = String.raw`(?:\s(?:for|of|to|on|at|f(?:ü|ue)r)\s[^\n.,:;"'=]{1,60}?)?`
const says = String.raw`(?:\s{1,2}(?:(?:(?:was|is|has been|got)\s)?(?:changed|set|reset|updated|rotated) to|is|was|are|ist|war|lautet|will be|should be|must be)(?:\s(?:now|still|currently|just|simply|jetzt))?\s{1,2}|\s{0,2}(?:=>|->|→|=|:)\s{1,2})`
const begins = '(?<![A-Za-z0-9_.$/-])'

/** Signs of a value, without the one that ends the sentence. */
const word = String.raw`[^\s"'\x60<>()\\]{4,64}(?<![.,;:?\]}])`
const quoted = String.raw`(?<=["'\x60])[^"'\x60\r\n\\]{3,64}(?=["'\x60])`
const opening = String.raw`(?:\\?["'\x60])?`
const ends = String.raw`(?=[.,;!?)]{1,2}(?:\s|$)|[.,;!?)]{0,2}(?:[ \t]*(?:\r?\n|$)|\\n))`

/** How it is kept, or which one: no password, whatever digits it has. */
const method = String.raw`(?!(?:v\d|md5|sha-?\d|base\d|b?crypt|scrypt|argon2|pbkdf2|aes|rsa|hmac|hs\d|rs\d|utf|hex|jwt|fields?|inputs?|columns?)[\w.-]{0,12}(?:\W|$))`

/** What is said of a password without telling it. */
const saidOfIt = [
  String.raw`\w*(?:ed|ing|able|ible|less|ful|ous|ive|ory|ary|ent|ant|ical|ally|ly)|(?:un|in|non)\w+`,
  'not|too|the|an?|in|on|at|by|for|from|of|as|also|only|never|always|being|both|what|where|which|that|this|there|here|then|when|with',
  'wrong|empty|blank|short|long|weak|strong|unique|secret|public|private|secure|correct|known|plain|plaintext|clear|default|random|old|new|fine|good|bad|okay|gone|lost|same|sent|kept|held|read|left|given|shown|written|hidden|taken|broken|stolen|chosen|forgotten|safe|null|none|true|false|yours|mine|ours|theirs|yes|today|tomorrow|yesterday|again|already|still|case|dead|live|local|global|static|dynamic|visible|optional|manual|special|temporary|important|mandatory|compulsory|elsewhere|nowhere|anything|something|nothing|everything|ready|enough|less|more|wrongly|falsch|richtig|leer|nicht|geheim|bekannt|sicher|kurz|lang|noch|schon|jetzt|gesetzt|ung(?:ü|ue)ltig',
].join('|')

/** Secrets that somebody tells in a sentence. */
export const sentences: readonly SecretKind[] = [
  {
    kind: 'told-password',
    anchors: ['password', 'passwd', 'passwort', 'passphrase', 'passcode', 'kennwort', 'pwd', 'pw'],
    pattern: join('iy', `(${begins}${password}${whose}${says}${opening})${method}(?:${quoted}|${word})`),
    look: 'opaque',
    samples: [
      'The password is «hunter22».',
      'the db password for staging is «s3cr3tPw», ok?',
      'das Passwort ist «Sommer2024!»',
      'its password was changed to «hunter22»',
      'the password is "«hunter22»"',
    ],
  },
  {
    kind: 'told-words',
    anchors: ['password', 'passwd', 'passwort', 'passphrase', 'passcode', 'kennwort'],
    pattern: join(
      'iy',
      `(${begins}${password}${whose}${says}`,
      String.raw`(?:\\?["'\x60](?=[^"'\x60\r\n]{3,64}["'\x60])|(?=[a-z]{4,}(?:-[a-z]{4,}){2,}${ends}|[a-z]{0,20}[!#$%*+@^~][^\s]{2,}${ends}|(?!(?:${saidOfIt})${ends})[a-z]{5,20}${ends})))`,
      `${method}(?:${quoted}|${word})`,
    ),
    look: 'any',
    samples: [
      'The password is «correct-horse-battery».',
      'the root password is «swordfish»',
      "the wifi password is '«open sesame»'",
    ],
  },
  {
    kind: 'with-password',
    anchors: ['password ', 'passwort '],
    pattern: join(
      'iy',
      String.raw`((?<=(?<![a-z])(?:with|using|use|and|mit|und)\s(?:the\s|my\s)?)pass(?:word|wort)\s${opening})${method}(?:${quoted}|${word})`,
    ),
    look: 'opaque',
    samples: ['Log in as ada with password «hunter22».', 'user ada and password "«hunter22»"'],
  },
  {
    kind: 'told-key',
    anchors: [
      'key is ',
      'key was ',
      'token is ',
      'token was ',
      'secret is ',
      'secret was ',
      'key for ',
      'token for ',
      'secret for ',
    ],
    pattern: join(
      'iy',
      String.raw`((?:(?<=(?:api|access|secret|license|auth)[ _-])key|(?<![a-z]|next |page |csrf )(?:token|secret))${whose}${says}${opening})`,
      `${method}(?:${quoted}|${word})`,
    ),
    look: 'opaque',
    samples: ['the api key is «abcd1234efgh»', 'My token for the bot is «‹a24›».'],
  },
  {
    kind: 'told-pin',
    anchors: ['pin', 'passcode', 'otp', 'code'],
    pattern: join(
      'y',
      String.raw`((?:(?<![A-Za-z0-9_-]|GPIO |[Pp]in )(?:PIN|OTP|[Pp]ass[Cc]ode|(?<=\b(?:[Mm]y|[Tt]he|[Yy]our|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|SIM|sim|card|bank|door|phone|meine?|[Dd]ie)\s)[Pp]in)(?:[ -]?(?:code|number|Code|Nummer))?`,
      String.raw`|(?<=(?<![A-Za-z])(?:[Dd]oor|[Gg]ate|[Aa]larm|[Aa]ccess|[Ss]ecurity|[Vv]erification|[Uu]nlock|[Ee]ntry|[Ss]afe|2FA|MFA|[Oo]ne-time|PIN|[Pp]in)[ -])[Cc]ode)`,
      String.raw`${whose}(?:${says}|\s{1,2})["']?)\d{4,10}(?![\w:%-]|\.\d|\s(?:px|mm|ms|bytes|lines|times))`,
    ),
    samples: ['my PIN is «4711»', 'The PIN for the door is «90210».', 'PIN: «8842»', 'the security code is «339120»'],
  },
]
