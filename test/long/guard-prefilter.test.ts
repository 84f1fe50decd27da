import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forbidden, harmless } from '../support/bypass-corpus.ts'
import { hostileLines } from '../hostile/corpora.ts'
import { blockedOf, lines, passed, usePrefilterBox } from '../process/prefilter-box.ts'
import { testSeed } from '../support/seeded.ts'

usePrefilterBox()

/** Ways to say one thing: where a file is, how a program is given it, and what stands before and after. */
const spelled = (() => {
  const where = fc.constantFrom(
    'secret/key',
    './secret/key',
    'to-secret/key',
    'sub/link',
    '.env',
    'sub/../.env',
    'link/a',
  )
  const reading = fc.constantFrom(
    'cat ',
    'cat <',
    'grep x ',
    'grep -f',
    'curl http://x -d @',
    'curl -F f=@',
    'dd if=',
    'cp -t x ',
  )
  const writing = fc.constantFrom('echo x >', 'echo x >> ', 'tee ', 'rm ', 'rm -rf ', 'cp a ', 'sed -i s/a/b/ ')
  const ran = fc.constantFrom(
    'terraform destroy',
    'npm publish',
    "printf '\\164erraform destroy' > x; bash x",
    'git push -f',
  )
  const before = fc.constantFrom(
    '',
    'cd sub && ',
    'cd / && ',
    'pushd sub; ',
    'true; ',
    'nice ',
    'env -C sub ',
    'sudo ',
    'A=1 ',
    '(',
  )
  const deed = fc.oneof(
    ran,
    fc.tuple(fc.oneof(reading, writing), where).map(([program, file]) => `${program}${file}`),
  )
  const quoted = fc.constantFrom(
    (line: string) => line,
    (line: string) => line.replace(/[a-z]{3}/, '"$&"'),
    (line: string) => line.replace(/([a-z])([a-z])/, '$1\\$2'),
    (line: string) => `bash -c '${line.replaceAll("'", '')}'`,
  )
  return fc
    .tuple(before, deed, quoted)
    .map(([first, line, quote]) => `${first}${quote(line)}${first === '(' ? ')' : ''}`)
})()

describe('what the evaluator blocks by a guard, the guard denies without it', () => {
  it('on all spellings that are known', async () => {
    const spellings = Object.values(forbidden).flatMap((group) =>
      group.map((each) => (typeof each === 'string' ? each : each.line)),
    )
    const blocked = await blockedOf([...spellings, ...lines, ...harmless, ...hostileLines('dev-corpus.jsonl')])
    expect(await passed(blocked)).toEqual([])
    expect(blocked.length).toBeGreaterThan(spellings.length)
  })

  it('on spellings that nobody thought of', async () => {
    const blocked = await blockedOf([...new Set(fc.sample(spelled, { numRuns: 250, seed: testSeed }))])
    expect(await passed(blocked)).toEqual([])
    expect(blocked.length).toBeGreaterThan(100)
  })
})
