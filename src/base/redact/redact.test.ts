import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillIn, planted } from '../../../test/support/redaction-values.ts'
import { secretKinds } from './find.ts'
import { redact, redactDeep } from './redact.ts'

const samples = secretKinds.flatMap(({ kind, samples: texts }) =>
  texts.map((template, index) => ({ kind, text: fillIn(template, index + kind.length * 100) })),
)
const bare = (sample: string): string => planted(sample, '').text
const expected = ({ kind, text }: { kind: string; text: string }): string => planted(text, `[redacted:${kind}]`).clean
/** Some surroundings are those of more than one kind: what matters is that the secret goes, and nothing else. */
const anyKind = (text: string): string => text.replace(/\[redacted:[a-z0-9-]+\]/g, '[redacted]')

describe('known kinds of secrets', () => {
  test('are at least 200, each with a name of its own and something to be tested with', () => {
    expect(secretKinds.length).toBeGreaterThanOrEqual(200)
    expect(new Set(secretKinds.map(({ kind }) => kind)).size).toBe(secretKinds.length)
    expect(secretKinds.filter((each) => !each.samples.some((sample) => /«.+»/s.test(sample)))).toEqual([])
  })

  test.each(secretKinds)('$kind is found as what it is', ({ kind, samples: texts }) => {
    const found = texts.flatMap((text, index) => redact(bare(fillIn(text, index))).secrets)
    expect(found.map((secret) => secret.kind)).toContain(kind)
  })

  test.each(samples)('$kind is taken out of $text', (sample) => {
    const { text, count } = redact(bare(sample.text))
    expect({ text: anyKind(text), count }).toEqual({ text: anyKind(expected(sample)), count: 1 })
  })

  test.each(samples)('$kind is taken out wherever $text stands', (sample) => {
    const around = (text: string): string => `first line, é 日本 🔑\n${text}\nlast (line)`
    expect(anyKind(redact(around(bare(sample.text))).text)).toBe(anyKind(around(expected(sample))))
  })

  test('several in one text are all taken out and counted', () => {
    const { text, count } = redact(samples.map(({ text: each }) => bare(each)).join('\n\n'))
    expect(anyKind(text)).toBe(anyKind(samples.map(expected).join('\n\n')))
    expect(count).toBe(samples.length)
  })

  test('are counted by kind, and their places are told', () => {
    const text = planted(
      fillIn('é🔑 TOKEN=«‹a20›» curl -u ada:«‹a9›» https://x.y; echo «ghp_‹a36›» «ghp_‹a36›»', 1),
      '',
    )
    const { kinds, secrets } = redact(text.text)
    expect(kinds).toEqual({ assignment: 1, 'curl-user': 1, github: 2 })
    expect(secrets.map(({ start, end }) => text.text.slice(start, end))).toEqual(text.secrets)
  })
})

const oneOf = (letters: string) => fc.constantFrom(...letters.split(''))
const hex = (length: number) => fc.string({ unit: oneOf('0123456789abcdef'), minLength: length, maxLength: length })
const word = fc.string({
  unit: oneOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJ_-.'),
  minLength: 1,
  maxLength: 12,
})
const reinId = fc
  .tuple(fc.constantFrom('dir', 'agt', 'evt', 'rec', 'trn'), fc.uuid({ version: 7 }))
  .map(([prefix, uuid]) => `${prefix}_${uuid}`)
const anything = fc.oneof(
  fc.uuid(),
  reinId,
  hex(7),
  hex(40),
  hex(64),
  fc.array(word, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  fc.integer().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.webUrl({ withQueryParameters: true }),
  fc.emailAddress(),
  fc.lorem(),
)
/** `pw` is a country's domain and a short word, too, but with a value behind it the name of a secret. */
const harmless = anything.filter((text) => !/\bpw\b/i.test(text))

describe('arguments of a command', () => {
  test.each([
    ['another command begins', 'mysql -u root; foo -pabc', 'mysql -u root; foo -pabc'],
    ['the line goes on', 'mysql \\\n  -phunter2 \\\n  app', 'mysql \\\n  -p[redacted:mysql] \\\n  app'],
    ['it stands in quotes', "bash -c 'mysql -phunter2' -p80", "bash -c 'mysql -p[redacted:mysql]' -p80"],
    ['it stands in JSON', String.raw`"mysql -p\"a b c\" x"`, String.raw`"mysql -p\"[redacted:mysql]\" x"`],
    ['it has a path', '/usr/bin/mysql -phunter2', '/usr/bin/mysql -p[redacted:mysql]'],
    ['it is the end of another name', 'my-mysql -phunter2', 'my-mysql -phunter2'],
    ['a subcommand is missing', 'docker run -p 8080:80 x', 'docker run -p 8080:80 x'],
    ['there is no value', 'mysql -u root -p', 'mysql -u root -p'],
    ['a quote never ends', `mysql -p"hunter2`, `mysql -p"[redacted:mysql]`],
  ])('when %s', (_when, text, clean) => {
    expect(redact(text).text).toBe(clean)
  })
})

describe('everything else', () => {
  test.each([
    'MAX_TOKENS=4096 max_tokens=4096 --max-tokens 4096 "max_tokens": 4096',
    'TOKEN=$GITHUB_TOKEN TOKEN=${TOKEN} TOKEN="$(gh auth token)" PASSWORD=$1',
    'PASSWORD_FILE=/run/secrets/db TOKEN_LIMIT=90000 SECRET_NAME=database API_KEY=<your-key>',
    'const token = await readToken(request)\nconst password = form.password.value',
    'connect(password=settings.DB_PASSWORD, token=user_token)',
    'SECRET_KEY = os.environ["SECRET_KEY"]; API_KEY=process.env.API_KEY',
    'Use --password to set one, or pass the --token flag with --secret-stdin.',
    'Basic authentication and Bearer authentication are both understood; bearer tokens expire.',
    'The marker is -----BEGIN PRIVATE KEY----- and then the body follows in base64 lines.',
    '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
    'ssh://git@github.com:22/a/b http://localhost:3000/@scope/pkg git@github.com:a/b.git',
    'postgres://ada:$PASSWORD@db postgres://ada:<password>@db postgres://ada:***@db',
    'mysql --port=3306 -P 3306 -p app; docker run -p 8080:80 -u 1000:1000 nginx; curl --url-query a:bcd',
    'npm_config_registry=https://registry.npmjs.org npm_lifecycle_event=test',
    'sk-learn task-0190a1b2c3d4e5f60718293a disk-usage eyJust.eyJoking',
    '"token": "string", "password": "Password", "tokenizer": "cl100k_base"',
    '2026-11-15T21:56:00.000Z 1740000000:start sha256:' + '0a'.repeat(32),
  ])('%s stays as it is', (text) => {
    expect(redact(text)).toEqual({ text, count: 0, kinds: {}, secrets: [] })
  })

  test('ids, hashes, paths, addresses and prose stay as they are, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(harmless, { maxLength: 20 }), fc.constantFrom(' ', '\n', ', ', '="'), (parts, glue) => {
        const text = parts.join(glue)
        expect(redact(text)).toEqual({ text, count: 0, kinds: {}, secrets: [] })
      }),
    )
  })

  test('any text without a secret stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(redact(text)).toEqual({ text, count: 0, kinds: {}, secrets: [] })
      }),
    )
  })
})

const glue = fc.constantFrom(
  '',
  ' ',
  '\n',
  '"',
  "'",
  '\\"',
  '=',
  ':',
  '.',
  ',',
  '-',
  '_',
  '/',
  '@',
  '://',
  '[',
  ']',
  '&',
  ';',
)
const fragment = fc.oneof(
  fc.constantFrom(...samples.map(({ text }) => bare(text))),
  fc.constantFrom(...samples).chain(({ text }) => fc.nat(text.length).map((end) => bare(text.slice(0, end)))),
  fc.constantFrom(
    'PASSWORD',
    'token',
    '--secret',
    'Bearer ',
    'curl -u a:',
    'mysql -p',
    '"api_key":"',
    'eyJ',
    '[redacted:x]',
  ),
  harmless,
)
const mixture = fc.array(fc.tuple(fragment, glue), { maxLength: 12 }).map((parts) => parts.flat().join(''))

describe('redacting', () => {
  test('a second time changes nothing', () => {
    fc.assert(
      fc.property(mixture, (text) => {
        const once = redact(text).text
        expect(redact(once)).toMatchObject({ text: once, count: 0 })
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps what is around, sign for sign, also beyond ASCII', () => {
    fc.assert(
      fc.property(mixture, fc.string({ unit: 'grapheme', maxLength: 20 }), (text, unicode) => {
        const given = `${unicode}${text}${unicode}`
        const { text: clean, secrets } = redact(given)
        const kept = [0, ...secrets.map(({ end }) => end)].map((start, index) =>
          given.slice(start, secrets[index]?.start),
        )
        expect(clean.split(/\[redacted:(?!x\])[a-z0-9-]+\]/)).toEqual(kept)
        expect(Buffer.from(clean).toString()).toBe(clean)
      }),
      { numRuns: 500 },
    )
  })

  /** Beginnings of secrets that never become one, over and over: what makes a careless expression slow. */
  const provocations = secretKinds.map(({ samples: [sample = ''] }) => {
    const text = bare(fillIn(sample, 1))
    return text.slice(0, Math.ceil(text.length / 2))
  })

  const repeated = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length))

  test('64 KiB of any such beginning is no burden', () => {
    for (const beginning of new Set(provocations)) {
      expect(redact(repeated(beginning, 65_536)).text.length).toBeGreaterThan(0)
    }
  })

  const hostile = [
    ['token=', 'TOKEN=$', 'password=,a', 'token=a1a1a1(', '"password":"', 'PASSWORD=[redacted:x]', '[redacted:'],
    ['-----BEGIN PRIVATE KEY-----\\n', '://a:', '_eyJ', 'bearer ', 'SECRET_KE', 'login a password ', '\\"'],
    ['mysql -p"', 'curl -u a ', 'security import a ', 'echo "a" | ', 'http -a ada:hunter2 G', '🔑\ud83d'],
  ].flat()

  test.each(hostile)('1 MiB of %j is no burden', (text) => {
    expect(redact(repeated(text, 1_048_576)).text.length).toBeGreaterThan(0)
  })

  test('a secret too large for a regular expression takes its whole text with it', () => {
    const text = `sk-ant-${'Ab3d'.repeat(8 * 1024 * 1024)} and more`
    expect(redact(text)).toMatchObject({ text: '[redacted:oversized]', count: 1 })
  })
})

const key = `ghp_${'a1B2'.repeat(9)}`

describe('redacting JSON values', () => {
  test('reaches every string, whatever contains it, and leaves the given value alone', () => {
    const value = { a: [key, { b: `x ${key} y` }], c: 1, d: null, e: true, f: 'plain' }
    const before = structuredClone(value)
    expect(redactDeep(value)).toEqual({
      value: { a: ['[redacted:github]', { b: 'x [redacted:github] y' }], c: 1, d: null, e: true, f: 'plain' },
      count: 2,
      kinds: { github: 2 },
    })
    expect(value).toEqual(before)
  })

  test('a bare string is a JSON value too', () => {
    expect(redactDeep(key)).toMatchObject({ value: '[redacted:github]', count: 1 })
  })

  test('the name of a field gives its value away', () => {
    expect(redactDeep({ env: { DB_PASSWORD: 'hunter2', kind: 'hunter2', token: 'string' } })).toEqual({
      value: { env: { DB_PASSWORD: '[redacted:json-field]', kind: 'hunter2', token: 'string' } },
      count: 1,
      kinds: { 'json-field': 1 },
    })
  })

  // Any text can be a secret by chance ({"pw":"!!!!!0"}), so the values here are made of words that no kind matches.
  test('JSON without secrets comes out equal', () => {
    const noSecret = fc.constantFrom('apple', 'two boxes', '42', 'a-b_c.d', 'ä 😀', '')
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(noSecret, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      tree: fc.oneof(
        { depthSize: 'small' },
        tie('leaf'),
        fc.array(tie('tree')),
        fc.dictionary(noSecret, tie('tree'), { noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(redactDeep(value)).toEqual({ value, count: 0, kinds: {} })
      }),
    )
  })

  test('JSON in which nothing was counted comes out equal, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const { value, count, kinds } = redactDeep(given)
        expect(Object.values(kinds).reduce((sum, one) => sum + one, 0)).toBe(count)
        expect(count === 0 ? value : given).toEqual(given)
      }),
    )
  })

  test('a chance secret is one: a short value under the name of a password', () => {
    expect(redactDeep({ pw: '!!!!!0' })).toMatchObject({ count: 1, kinds: { 'json-field': 1 } })
  })

  test('a key named __proto__ is data like any other', () => {
    const value: unknown = JSON.parse(`{"__proto__": {"a": "${key}"}}`)
    expect(JSON.stringify(redactDeep(value).value)).toBe('{"__proto__":{"a":"[redacted:github]"}}')
  })

  test('nesting deeper than the stack, and a cycle, come to an end', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}"${key}"${']'.repeat(50_000)}`)
    expect(redactDeep(deep).count).toBe(1)
    const cycle: Record<string, unknown> = { key }
    cycle['self'] = cycle
    const { value, count } = redactDeep(cycle)
    expect(count).toBe(1)
    expect((value as typeof cycle)['self']).toBe(value)
  })
})
