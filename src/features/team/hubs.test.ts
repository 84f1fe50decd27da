import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { checkHub, TeamFiles } from './hubs.ts'

const start = () => {
  const dir = tempDir()
  const file = join(dir, '.rein/team.toml')
  mkdirSync(join(dir, '.rein'))
  const problems: string[] = []
  const files = new TeamFiles(({ code, message }) => problems.push(`${code} ${message}`))
  return { dir, file, files, problems, write: (text: string | Uint8Array) => writeFileSync(file, text) }
}

const good = `
[hubs.backend]
rooms = ["api", "db-*"]
events = ["task-*"]

[hubs.docs]
rooms = ["docs"]
`

test('the hubs of a directory', () => {
  const { dir, files, problems, write } = start()
  expect(files.of(dir)).toEqual({ agents: {}, hubs: {} })
  write(good)
  expect(files.of(dir)).toEqual({
    agents: {},
    hubs: { backend: { rooms: ['api', 'db-*'], events: ['task-*'] }, docs: { rooms: ['docs'], events: [] } },
  })
  expect(problems).toEqual([])
})

test('a file is read again when it is another one, and only then', () => {
  const { dir, file, files, write } = start()
  write(good)
  const first = files.of(dir)
  expect(files.of(dir)).toBe(first)
  write('[hubs.web]\nrooms = ["web"]\n')
  expect(Object.keys(files.of(dir).hubs)).toEqual(['web'])
  rmSync(file)
  expect(files.of(dir)).toEqual({ agents: {}, hubs: {} })
})

test('the same length at another time is another file', () => {
  const { dir, file, files, write } = start()
  write('[hubs.aaa]\n')
  expect(Object.keys(files.of(dir).hubs)).toEqual(['aaa'])
  write('[hubs.bbb]\n')
  utimesSync(file, 1, 1)
  expect(Object.keys(files.of(dir).hubs)).toEqual(['bbb'])
})

test.each([
  ['[hubs.backend]\nroom = ["api"]\n', ':2:1: hubs.backend.room is not known; did you mean rooms?'],
  ['hub = 1\n', ':1:1: hub is not known; did you mean hubs?'],
  ['# a team\n[hubs.backend]\n  rooms = "api"\n', ':3:3: hubs.backend.rooms must be of type array.'],
  ['[hubs."Back End"]\nrooms = []\n', ':2:1: hubs."Back End" is no name'],
  ['[hubs]\nbackend = { rooms = ["api"], who = 1 }\n', ':2:1: hubs.backend.who is not known.'],
  ['[hubs.backend]\nrooms = ["Not A Room"]\n', ':2:1: hubs.backend.rooms.0 is no name'],
  ['[other]\n', ':1:8: other is not known'],
  ['[agents.ada]\ndrivr = "codex"\n', ':2:1: agents.ada.drivr is not known; did you mean driver?'],
  ['[agents.ada]\nauto_approve = true\n', ':2:1: agents.ada.auto_approve is not known'],
  ['[agents.ada]\nhost = "screen"\n', ':2:1: agents.ada.host must be one of: stream, tmux, pty.'],
  ['[agents."Ada L"]\ndriver = "codex"\n', ':2:1: agents."Ada L" is no name'],
  ['[agents.ada]\ntask = "../etc"\n', ':2:1: agents.ada.task is no name'],
  ['[agents.ada]\nmodel = "--yolo"\n', ':2:1: agents.ada.model is no name'],
  ['[hubs\n', ':1:'],
])('%j counts as empty, and is told of once, with the place', (text, expected) => {
  const { dir, file, files, problems, write } = start()
  write(text)
  expect([files.of(dir).hubs, files.of(dir).hubs]).toEqual([{}, {}])
  expect(() => checkHub(files.of(dir), 'hub:backend')).toThrow(file)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`invalid_config ${file}${expected}`)
})

test('what is no text file is told of, too', () => {
  const { dir, file, files, problems, write } = start()
  write(new Uint8Array([0xff, 0xfe]))
  files.of(dir)
  rmSync(file)
  mkdirSync(file)
  files.of(dir)
  expect(problems).toEqual([
    `invalid_config ${file} is not valid UTF-8.`,
    `invalid_config ${file} is not a regular file.`,
  ])
})

test('a hub that there is not', () => {
  const { dir, files, write } = start()
  expect(() => checkHub(files.of(dir), 'hub:backend')).toThrow('There is no hub backend.')
  write(good)
  const team = files.of(dir)
  expect(() => checkHub(team, 'hub:bakend')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'There is no hub bakend; did you mean backend?',
      hint: 'There are: backend, docs',
    }),
  )
  for (const fine of ['hub:backend', 'hub:*', 'room:bakend', 'bus:toString']) checkHub(team, fine)
  expect(() => checkHub(team, 'hub:constructor')).toThrow('There is no hub')
})

test('a link to itself is told of once, and stops nobody', () => {
  const { dir, files, problems } = start()
  mkdirSync(join(dir, '.rein'), { recursive: true })
  symlinkSync('team.toml', join(dir, '.rein/team.toml'))
  expect([files.of(dir).hubs, files.of(dir).hubs]).toEqual([{}, {}])
  expect(problems).toHaveLength(1)
})

test('an agent further down in the repository has the team of its root', () => {
  const { dir, files, write } = start()
  write('[hubs.backend]\nrooms = ["api"]\n')
  const below = join(dir, 'packages/one')
  mkdirSync(below, { recursive: true })
  expect(Object.keys(files.of(below).hubs)).toEqual(['backend'])
  mkdirSync(join(dir, 'packages/.git'))
  expect(files.of(below).hubs).toEqual({})
})
