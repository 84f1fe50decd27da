import { describe, expect, it } from 'vitest'
import { person } from '../../../contract/outcome.ts'
import type { Moment } from './event.ts'
import { textExperts } from './experts.ts'
import type { Witness } from './panel.ts'
import { runElsewhere, listReasons } from './reasons.ts'
import { readSituation, type Situation } from './situation.ts'
import { Trail } from './trail.ts'

const situation = (more: Partial<Moment> = {}, exits: readonly boolean[] = []): Situation => {
  const trail = new Trail('s')
  for (const failed of exits)
    trail.steps.unshift({ template: 1, text: 1, shapeKey: 1, textKey: 1, stub: 1, program: 1, failed })
  return readSituation({ project: 'shop', session: 's', agent: 'codex', cwd: '/work', time: 0, ...more }, trail)
}

const seen = (name: string, count: number, total: number): Witness[] =>
  textExperts.filter((expert) => expert.name === name).map((expert) => ({ expert, count, total }))

const ran = (here: number, everywhere = here, failures = 0) => ({ here, everywhere, failures })

describe('reasons', () => {
  it('tell what a line was seen after, and how often it ran', () => {
    const reasons = listReasons(ran(5), seen('after/project', 4, 6), situation({}, [false]), 2)
    expect(reasons).toEqual(['4 of 6 after the last command here', 'run 5 times here'])
  })

  it('do not tell of a change, a failure, tools or commands that were not', () => {
    const absent = ['edited', 'broken', 'after-outcome', 'after-tool', 'after-two', 'after-three', 'after-shapes']
    const witnesses = absent.flatMap((name, index) => seen(`${name}/project`, 10 + index, 58))
    expect(witnesses).toHaveLength(absent.length)
    expect(listReasons(ran(1), witnesses, situation({}, [false]), 9)).toEqual(['run once here'])
    const given = situation({ edited: ['a.ts'], tools: ['Edit'] }, [false, false, true])
    expect(listReasons(ran(1), witnesses, given, 9)).toHaveLength(absent.length + 1)
  })

  it('tell of the directory if it is known, and the line also ran in others', () => {
    expect(listReasons(ran(2), seen('cwd/project', 1, 2), situation(), 2)[0]).toBe('1 of 2 run in this directory here')
    expect(listReasons(ran(2), seen('cwd/project', 2, 2), situation(), 2)).toEqual(['run twice here'])
    expect(listReasons(ran(2), seen('cwd/project', 1, 2), situation({ cwd: '' }), 2)).toEqual(['run twice here'])
  })

  it('do not say the same again: of equal counts the most telling, and not more than wanted', () => {
    const same = ['after', 'after-two', 'after-three'].flatMap((name) => seen(`${name}/project`, 5, 5))
    const others = [...seen('cwd/project', 6, 50), ...seen('after/session', 2, 3)]
    const reasons = listReasons(
      ran(7),
      [...seen('cwd/project', 5, 90), ...same, ...others],
      situation({}, [false, false, false]),
      2,
    )
    expect(reasons).toEqual([
      '5 of 5 after the last command here',
      '2 of 3 after the last command in this session',
      'run 7 times here',
    ])
  })

  it('begin with another project if the line ran only there', () => {
    const witnesses = [...seen('after/kind', 3, 4), ...seen('after/session', 1, 1)]
    const after = (agent: string) => listReasons(ran(0, 9), witnesses, situation({ agent }, [false]), 2)
    expect(after('codex')).toEqual([runElsewhere, '3 of 4 after the last command by agents of this kind'])
    expect(after(person)).toEqual([runElsewhere, '3 of 4 after the last command by people'])
  })

  it('count what this project did, and failures only if they were here', () => {
    expect(listReasons(ran(3, 3, 2), [], situation(), 2)).toEqual(['run 3 times here, failed twice'])
    expect(listReasons(ran(3, 8, 2), [], situation(), 2)).toEqual(['run 3 times here'])
    expect(listReasons(undefined, [], situation(), 2)).toEqual(['a known shape with words of this session'])
  })

  it('never say more than all', () => {
    expect(listReasons(ran(5), seen('after/project', 5, 4.6), situation({}, [false]), 1)[0]).toBe(
      '5 of 5 after the last command here',
    )
  })
})
