import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/base/util/version.ts'

const ROOT = path.join(import.meta.dirname, '../..')
let unbuilt = ''

const node = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

beforeAll(async () => {
  unbuilt = await mkdtemp(path.join(tmpdir(), 'rein-unbuilt-'))
  await cp(path.join(ROOT, 'bin'), path.join(unbuilt, 'bin'), { recursive: true })
  await cp(path.join(ROOT, 'package.json'), path.join(unbuilt, 'package.json'))
})

afterAll(() => rm(unbuilt, { recursive: true }))

test.each(['--version', '-V', '-v'])('%s needs nothing but package.json', async (flag) => {
  const answer = await node(path.join(unbuilt, 'bin/rein.cjs'), flag)
  expect(answer).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('without dist/ it says what to do', async () => {
  const answer = await node(path.join(unbuilt, 'bin/rein.cjs'), 'ps')
  expect(answer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('npm run build') })
})

test('the bundled program explains a missing argument, and prints help', async () => {
  const rein = path.join(ROOT, 'bin/rein.cjs')
  expect(await node(rein, 'tell')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs HANDLE and TEXT') })
  expect(await node(rein, 'help', 'tell')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: rein tell'),
  })
})

test('rein ps reads all of its code from one file, and from what the bundler adds to each program', async () => {
  const tell = `process.on('exit', () => process.stderr.write(Object.keys(createRequire('/').cache).join(' ')))`
  const source = `import { createRequire } from 'node:module'; ${tell}`
  const preload = `data:text/javascript,${encodeURIComponent(source)}`
  const { stderr } = await node('--import', preload, path.join(ROOT, 'bin/rein.cjs'), 'ps', '--short')
  const loaded = stderr.split(' ').map((file) => path.basename(file).replace(/-.{8}\.cjs$/, ''))
  expect(loaded.toSorted()).toEqual(['cli.cjs', 'rein.cjs', 'rolldown-runtime'])
})

test('an old Node is named in one sentence', async () => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  const answer = await node('--import', preload, path.join(ROOT, 'bin/rein.cjs'), 'ps')
  expect(answer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^rein: needs Node 20\.19 .*\n$/) })
})

test('a link to it in a directory of the PATH is all it needs', async () => {
  const link = path.join(unbuilt, 'rein')
  await symlink(path.join(ROOT, 'bin/rein.cjs'), link)
  expect(await node(link, 'completions', 'bash')).toMatchObject({ code: 0, stdout: expect.stringContaining('rein') })
})
