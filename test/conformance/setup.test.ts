import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { driverOf } from '../support/clis.ts'
import { shownIn, startRein } from '../e2e/harness.ts'
import { claimsOf } from './agent.ts'
import { chosen, installedOf, programFor } from './chosen.ts'
import { byHand } from './by-hand.ts'
import { deploy } from './deployed.ts'

/** Every file below a directory with its bytes. */
const contentOf = async (root: string): Promise<Record<string, string>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(root.length), await readFile(file, 'base64')]),
  )
  return Object.fromEntries(contents) as Record<string, string>
}

describe.each(chosen)('$name', (cli) => {
  test('setup, a conversation started by hand, a directive, cleanup: and nothing is left', async () => {
    const rein = await startRein({ cli, program: programFor(cli) })
    await mkdir(join(rein.cwd, '.git'))
    const before = await contentOf(rein.cwd)
    await deploy(rein, 'setup')
    const after = await contentOf(rein.cwd)
    expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length)
    await deploy(rein, 'setup')
    expect(await contentOf(rein.cwd)).toEqual(after)

    const terminal = await byHand(rein, driverOf(cli), programFor(cli), 'WAIT:told ;; RUN:echo work ;; SAY:done')
    onTestFinished(terminal.close)
    await rein.sim.reached('told')
    const agent = await terminal.known()
    expect(agent).toMatchObject({ handle: 'by-hand', host: 'outside', driver: cli.name, state: 'working' })
    expect(agent.version).toBe((await installedOf(cli)).version)
    const { id } = await rein.tell('To one that was started by hand.', { target: 'by-hand' })
    rein.sim.release('told')
    if ((await claimsOf(cli, 'tmux')).writesContext) await rein.reached(id, 'seen')
    const shown = await rein.sim.next((request) => request.isMain && request.text.includes(id))
    expect(shownIn(shown, id)).toBe(1)
    await terminal.close()

    await deploy(rein, 'cleanup')
    const left = await contentOf(rein.cwd)
    const added = Object.keys(left).filter((path) => !(path in before))
    const ours = await Promise.all(added.map((path) => isRein(join(rein.cwd, path))))
    expect(added.filter((_, index) => ours[index])).toEqual([])
    expect(before).toEqual(Object.fromEntries(Object.entries(left).filter(([path]) => path in before)))
  })
})

/** Where Claude Code keeps that a person has approved a server: it is theirs, whoever is named in it. */
const ownNotes = /\.claude\/settings\.local\.json$/

/** The CLI itself may have left something in the project; Rein may not. */
const isRein = async (path: string): Promise<boolean> =>
  !ownNotes.test(path) && existsSync(path) && /rein/i.test(await readFile(path, 'utf8'))
