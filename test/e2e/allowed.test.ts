import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { minimumClaude, newestClaude, startRein, type TestRein } from './harness.ts'
import { inState } from './terminal.ts'

/** Where a user can allow something: by settings of the user, of the project and for this start, and by a flag. */
const places = ['user', 'project', 'start', 'flag']

const allowing = (place: string): string => `Bash(sh ${place}.sh:*)`
const settingsOf = (place: string): string => JSON.stringify({ permissions: { allow: [allowing(place)] } })

/** Allows one script in each place; what is to be added to the command line for that. */
const allowAll = async ({ cwd, home }: TestRein): Promise<string[]> => {
  const files = { user: join(home, '.claude/settings.json'), project: join(cwd, '.claude/settings.json') }
  for (const [place, file] of Object.entries(files)) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, settingsOf(place))
  }
  for (const place of places) await writeFile(join(cwd, `${place}.sh`), `echo ${place} has run`)
  return ['--settings', settingsOf('start'), '--allowedTools', allowing('flag')]
}

test.each([
  ['stream', newestClaude],
  ['tmux', newestClaude],
  ['stream', minimumClaude],
] as const)('what a user allows runs unasked, and so does what answers Rein (%s, %s)', async (host, program) => {
  const rein = await startRein({ program })
  const request = { autoApprove: false, permissionMode: 'default', args: await allowAll(rein) }
  const runs = places.map((place) => `RUN:sh ${place}.sh`).join(' ;; ')
  await rein.up(`WAIT:told ;; ${runs} ;; SAY:done`, request, { host })
  await rein.sim.reached('told')
  const { id } = await rein.tell('Use tabs.')
  rein.sim.release('told')
  const ends = [rein.reached(id, 'acked'), inState(rein, 'awaiting_permission')]
  expect(await Promise.race(ends)).toMatchObject({ state: 'acked' })
  const { text } = await rein.sim.next((one) => one.isMain && one.newText.includes('flag has run'))
  for (const place of places) expect(text).toContain(`${place} has run`)
})
