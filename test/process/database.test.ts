import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { storeFiles } from '../../src/daemon/store-files.ts'
import { acceptedIds, type Box, createBox, gone, type OwnDaemon, select, until } from './harness.ts'

const pageSize = 4096

const tell = async (box: Box, text: string): Promise<string> =>
  (await box.client().tell({ target: 'worker', cwd: box.cwd, text, from: 'tester' })).id

/** A daemon that has accepted some directives and has ended, as it wants to or as by a power cut. */
const aUsedBox = async (config: Record<string, string> = {}) => {
  const box = createBox(config)
  const daemon = await box.daemon()
  await box.stoppedAgent()
  const ids = [await tell(box, 'first word'), await tell(box, 'second word'), await tell(box, 'third word')]
  await stopped(box, daemon)
  return { box, ids, files: storeFiles(box.paths) }
}

const stopped = async (box: Box, daemon: OwnDaemon): Promise<void> => {
  await box.client({ start: false }).stop()
  await daemon.ended
}

const open = async (box: Box): Promise<string[]> =>
  (await box.client().inbox({ target: 'worker', cwd: box.cwd })).map(({ id }) => id)

const edit = (file: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

/** In the record of a directive, so that its JSON is none. */
const flip = (file: string, text: string): void =>
  edit(file, (bytes) => {
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + text.length] = 0x01
  })

const zero = (file: string, page: number): void =>
  edit(file, (bytes) => bytes.fill(0, (page - 1) * pageSize, page * pageSize))

const removeAll = (file: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

/** A daemon that makes the daily copy as soon as nobody asks it anything. */
const soonIdle = { env: { REIN_LOG_IDLE_S: '1' } }

/** A database that has a daily copy of everything. Only the second daemon makes copies: the first may be idle between two directives. */
const aCopiedBox = async (config: Record<string, string> = {}) => {
  const used = await aUsedBox(config)
  const daemon = await used.box.daemon(soonIdle)
  await until(() => copiesOf(used.box).length > 0)
  await stopped(used.box, daemon)
  return used
}

const copiesOf = ({ paths }: Box): string[] => {
  const { copies } = storeFiles(paths)
  return existsSync(copies) ? readdirSync(copies).filter((name) => name.endsWith('.db')) : []
}

describe('a damaged database', () => {
  test('one record that cannot be read is left out and named, and all others are there', async () => {
    const { box, ids } = await aUsedBox()
    flip(box.paths.database, 'second word')
    await box.daemon()
    expect(await open(box)).toEqual([ids[0], ids[2]])
    const said = box.log().find(({ where }) => where === 'database')
    expect(said?.['reason']).toMatch(/^One record cannot be read and is left out: \d+ \(directives\)/)
    const { stderr, code } = await box.rein(['ps'])
    expect([code, stderr.match(/cannot be read/g)?.length]).toEqual([0, 1])
    expect((await box.rein(['doctor', '--quick'])).stdout).toMatch(/✗ database: .*cannot be read/)
    await expect(tell(box, 'fourth word')).resolves.toMatch(/^dir_/)
  })

  test('a page that is gone is repaired at the start, said, and the damaged file is kept', async () => {
    const { box, files } = await aUsedBox()
    const before = acceptedIds(box.paths)
    const [{ rootpage } = { rootpage: 0 }] = select(
      box.paths,
      "SELECT rootpage FROM sqlite_master WHERE name = 'record_topic'",
    )
    zero(box.paths.database, Number(rootpage))
    await box.daemon()
    expect(acceptedIds(box.paths)).toEqual(before)
    const { stderr } = await box.rein(['daemon', 'status'])
    expect(stderr).toContain('was repaired at the start')
    expect(stderr).toContain(files.damaged)
  })

  test.each([
    ['missing', removeAll],
    [
      'empty',
      (file: string) => {
        removeAll(file)
        writeFileSync(file, '')
      },
    ],
  ])('one that is %s is no fresh start, and the daily copy gives it back', async (state, harm) => {
    const { box, ids } = await aCopiedBox()
    harm(box.paths.database)
    const refused = await box.rein(['ps'])
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining(`is ${state}, and there was one`)])
    expect(refused.stderr).toContain('rein daemon repair')
    const look = await box.rein(['daemon', 'repair', '--dry-run'])
    expect([look.code, look.stdout]).toEqual([1, expect.stringMatching(/directives +0 +6 +0/)])
    const repaired = await box.rein(['daemon', 'repair', '--yes', '--json'])
    expect(JSON.parse(repaired.stdout)).toMatchObject({ state, repaired: true })
    await box.daemon()
    expect(await open(box)).toEqual(ids)
  })

  test('without a copy it can be begun anew, and only if somebody says so', async () => {
    const { box } = await aUsedBox()
    writeFileSync(box.paths.database, '')
    expect((await box.rein(['daemon', 'repair'])).code).toBe(5)
    expect((await box.rein(['daemon', 'repair', '--yes'])).stderr).toContain('Nothing can be read')
    expect((await box.rein(['daemon', 'repair', '--fresh', '--yes'])).code).toBe(0)
    await box.daemon()
    expect(await box.client().ps({ all: true })).toEqual([])
  })

  test('a log beside it that is missing or garbage is said', async () => {
    const { box } = await aUsedBox()
    const first = await box.daemon()
    await box.client().status()
    await first.kill()
    rmSync(`${box.paths.database}-wal`)
    rmSync(`${box.paths.database}-shm`, { force: true })
    const daemon = await box.daemon()
    expect((await box.rein(['daemon', 'status'])).stderr).toContain('is missing. What was accepted last may be lost.')
    await daemon.kill()
    writeFileSync(`${box.paths.database}-wal`, Buffer.alloc(9000, 'x'))
    await box.daemon()
    expect((await box.rein(['daemon', 'status'])).stderr).toContain('could not be read to its end')
  })

  test('a clean end, and one by kill -9, are no damage', async () => {
    const { box, ids } = await aUsedBox()
    const daemon = await box.daemon()
    await daemon.kill()
    await box.daemon()
    expect((await box.client().status()).damage).toEqual([])
    expect(await open(box)).toEqual(ids)
  })
})

describe('rein daemon repair', () => {
  test('while a daemon runs it refuses and says what to do; on a sound database it changes nothing', async () => {
    const { box } = await aUsedBox()
    const daemon = await box.daemon()
    const refused = await box.rein(['daemon', 'repair', '--yes'])
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('rein daemon stop')])
    await stopped(box, daemon)
    const before = readFileSync(box.paths.database)
    const { stdout, code } = await box.rein(['daemon', 'repair', '--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('is sound')])
    expect(readFileSync(box.paths.database).equals(before)).toBe(true)
  })

  test('before there is a database there is nothing to repair', async () => {
    expect(await createBox().rein(['daemon', 'repair', '--dry-run'])).toMatchObject({ code: 3 })
  })

  test('what the copy has comes back; what nobody has is named with its topic', async () => {
    const { box, ids } = await aCopiedBox()
    const daemon = await box.daemon()
    const late = await tell(box, 'after the copy')
    await stopped(box, daemon)
    for (const text of ['second word', 'after the copy']) flip(box.paths.database, text)
    const { stdout } = await box.rein(['daemon', 'repair', '--dry-run', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'damaged',
      records: [
        { topic: 'directives', page: expect.any(Number) as number, isLost: false },
        { topic: 'directives', page: expect.any(Number) as number, isLost: true },
      ],
    })
    await box.rein(['daemon', 'repair', '--yes'])
    await box.daemon()
    expect(await open(box)).toEqual(ids)
    expect(await open(box)).not.toContain(late)
    expect((await box.client().status()).damage).toEqual([])
  })

  test.each(['before_repair', 'in_repair'])(
    'killed %s it loses nothing, and the next one comes to the end',
    async (point) => {
      const { box, ids } = await aCopiedBox()
      flip(box.paths.database, 'second word')
      const cut = await box.rein(['daemon', 'repair', '--yes'], { env: { REIN_FAULT: point } })
      expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('was cut off')])
      await box.rein(['daemon', 'repair', '--yes'])
      await box.daemon()
      expect(await open(box)).toEqual(ids)
    },
  )
})

describe('the daily copy', () => {
  test('is whole, for its owner alone, and not more are kept than wanted', async () => {
    const { box, files } = await aCopiedBox({ REIN_LOG_COPIES: '1' })
    const [name = ''] = copiesOf(box)
    const copy = join(files.copies, name)
    expect([statSync(copy).mode & 0o777, statSync(files.copies).mode & 0o777]).toEqual([0o600, 0o700])
    expect(select({ ...box.paths, database: copy }, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const old = new Date(Date.now() - 2 * 86_400_000)
    renameSync(copy, join(files.copies, 'old.db'))
    utimesSync(join(files.copies, 'old.db'), old, old)
    await box.daemon(soonIdle)
    await until(() => copiesOf(box).length === 1 && !copiesOf(box).includes('old.db'))
    expect((await box.rein(['doctor', '--quick'])).stdout).toMatch(/✓ database copy: .*\.db/)
  })

  test('killed before it has its name it is none, and the next daemon makes another', async () => {
    const { box } = await aUsedBox()
    const daemon = await box.daemon({ env: { ...soonIdle.env, REIN_FAULT: 'before_copy' } })
    expect(await daemon.ended).toBe('SIGKILL')
    expect(copiesOf(box)).toEqual([])
    await gone(daemon.pid)
    await box.daemon(soonIdle)
    await until(() => copiesOf(box).length === 1)
  })
})
