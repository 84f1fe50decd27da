import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/base/util/version.ts'

const ROOT = path.join(import.meta.dirname, '../..')
let unbuilt = ''

/** Of a package, not of Node or of this repository; types alone are not bundled. */
const importedPackage = /(?<=^import (?!type )[^']*from ')(?:@[a-z-]+\/)?[a-z][a-z0-9-]*(?=[/'])/gm

const manifestIn = (directory: string): { version: string; license: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as never

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

test('the licence of each bundled package comes with the programs', () => {
  const licenses = readFileSync(path.join(ROOT, 'dist/third-party-licenses.txt'), 'utf8')
  const { dependencies } = manifestIn(ROOT)
  const imported = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8').match(importedPackage) ?? [])
  const bundled = [...new Set(imported)].filter((name) => !(name in dependencies))
  expect(bundled).toEqual(expect.arrayContaining(['@stricli/core', 'hono', 'zod']))
  for (const name of [...bundled, 'sonic-boom', '@photostructure/sqlite', 'node-gyp-build', 'rolldown']) {
    const { version: its, license } = manifestIn(path.join(ROOT, 'node_modules', name))
    expect(licenses).toContain(`\n${name} ${its}\nLicence: ${license}\n`)
  }
  expect(licenses.match(/^Licence: /gm)).toHaveLength(licenses.match(/^-{80}$/gm)?.length ?? 0)
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
