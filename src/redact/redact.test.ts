import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { secretPatterns } from './patterns.ts'
import { redact, redactDeep } from './redact.ts'

const samples = secretPatterns.flatMap(({ name, samples: texts }) => texts.map((text) => ({ name, text })))
const bare = (sample: string): string => sample.replace(/[«»]/g, '')
const expected = ({ name, text }: { name: string; text: string }): string =>
  text.replace(/«[^»]+»/, `[redacted:${name}]`)

describe('known kinds of secrets', () => {
  test('each has a name of its own and something to be tested with', () => {
    expect(new Set(secretPatterns.map(({ name }) => name)).size).toBe(secretPatterns.length)
    expect(secretPatterns.filter((each) => !each.samples.some((sample) => /«.+»/s.test(sample)))).toEqual([])
  })

  test.each(samples)('$name is taken out of $text', (sample) => {
    expect(redact(bare(sample.text))).toEqual({ text: expected(sample), count: 1 })
  })

  test.each(samples)('$name is taken out wherever $text stands', (sample) => {
    const around = (text: string): string => `first line, é 日本\n${text}\nlast (line)`
    expect(redact(around(bare(sample.text))).text).toBe(around(expected(sample)))
  })

  test('several in one text are all taken out and counted', () => {
    const text = samples.map(({ text: each }) => bare(each)).join('\n')
    expect(redact(text)).toEqual({ text: samples.map(expected).join('\n'), count: samples.length })
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
const harmless = fc.oneof(
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
    expect(redact(text)).toEqual({ text, count: 0 })
  })

  test('ids, hashes, paths, addresses and prose stay as they are, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(harmless, { maxLength: 20 }), fc.constantFrom(' ', '\n', ', ', '="'), (parts, glue) => {
        const text = parts.join(glue)
        expect(redact(text)).toEqual({ text, count: 0 })
      }),
    )
  })

  test('any text without a secret stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(redact(text)).toEqual({ text, count: 0 })
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
        expect(redact(once)).toEqual({ text: once, count: 0 })
      }),
      { numRuns: 2000 },
    )
  })

  /** Beginnings of secrets that never become one, over and over: what makes a careless expression slow. */
  const provocations = samples.flatMap(({ text }) => {
    const sample = bare(text)
    const beginnings = [0.25, 0.5, 0.75].map((part) => sample.slice(0, Math.ceil(sample.length * part)))
    return [...beginnings, sample.slice(0, -1), sample.slice(0, 1)]
  })

  test('64 KiB of any such beginning is no burden', () => {
    for (const beginning of new Set(provocations)) {
      const text = beginning.repeat(Math.ceil(65_536 / beginning.length))
      expect(redact(text).text.length).toBeGreaterThan(0)
    }
  })

  test('a secret too large for a regular expression takes its whole text with it', () => {
    const text = `sk-ant-${'Ab3d'.repeat(8 * 1024 * 1024)} and more`
    expect(redact(text)).toEqual({ text: '[redacted:oversized]', count: 1 })
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
    })
    expect(value).toEqual(before)
  })

  test('a bare string is a JSON value too', () => {
    expect(redactDeep(key)).toEqual({ value: '[redacted:github]', count: 1 })
  })

  test('the name of a field gives its value away', () => {
    expect(redactDeep({ env: { DB_PASSWORD: 'hunter2', kind: 'hunter2', token: 'string' } })).toEqual({
      value: { env: { DB_PASSWORD: '[redacted:json-field]', kind: 'hunter2', token: 'string' } },
      count: 1,
    })
  })

  test('JSON without secrets comes out equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(redactDeep(value)).toEqual({ value, count: 0 })
      }),
    )
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
