import { describe, expect, test } from 'vitest'
import { reinPaths, type PathSource } from './paths.ts'

const source = (env: PathSource['env'], rest: Partial<PathSource> = {}): PathSource => ({
  env,
  homedir: '/home/ada',
  platform: 'linux',
  uid: 1000,
  ...rest,
})

describe('where Rein keeps things', () => {
  test('without any variable: below the home directory', () => {
    expect(reinPaths(source({}))).toEqual({
      state: '/home/ada/.local/state/rein',
      runtime: '/home/ada/.local/state/rein/run',
      config: '/home/ada/.config/rein/config.toml',
      socket: '/home/ada/.local/state/rein/run/rein.sock',
      output: '/home/ada/.local/state/rein/run/output.sock',
      registration: '/home/ada/.local/state/rein/daemon.json',
      lock: '/home/ada/.local/state/rein/daemon.lock',
      database: '/home/ada/.local/state/rein/rein.db',
      log: '/home/ada/.local/state/rein/logs/rein.log',
      spool: '/home/ada/.local/state/rein/spool',
      shells: '/home/ada/.local/state/rein/shells',
      guards: '/home/ada/.local/state/rein/guards',
      plugins: '/home/ada/.local/state/rein/plugins',
      endpoint: '/home/ada/.local/state/rein/endpoint.json',
    })
  })

  test('the XDG variables move state, runtime and configuration', () => {
    const env = { XDG_STATE_HOME: '/s', XDG_RUNTIME_DIR: '/r', XDG_CONFIG_HOME: '/c' }
    expect(reinPaths(source(env))).toMatchObject({
      state: '/s/rein',
      runtime: '/r/rein',
      config: '/c/rein/config.toml',
      socket: '/r/rein/rein.sock',
      output: '/r/rein/output.sock',
      registration: '/s/rein/daemon.json',
    })
  })

  test('REIN_HOME puts everything in one directory, whatever XDG says', () => {
    const paths = reinPaths(source({ REIN_HOME: '/opt/rein/', XDG_STATE_HOME: '/s', XDG_RUNTIME_DIR: '/r' }))
    expect(paths).toMatchObject({ state: '/opt/rein', runtime: '/opt/rein/run', config: '/opt/rein/config.toml' })
    expect(Object.values(paths).filter((each) => !each.startsWith('/opt/rein'))).toEqual([])
  })

  test.each(['', 'relative/dir'])('an XDG variable that is "%s" counts as not set', (value) => {
    const env = { XDG_STATE_HOME: value, XDG_RUNTIME_DIR: value, XDG_CONFIG_HOME: value }
    expect(reinPaths(source(env))).toEqual(reinPaths(source({})))
  })

  test('the runtime directory of another user is left alone', () => {
    const ofAda = source({ XDG_RUNTIME_DIR: '/run/user/1000' })
    expect(reinPaths(ofAda).runtime).toBe('/run/user/1000/rein')
    expect(reinPaths({ ...ofAda, uid: 0, homedir: '/root' }).runtime).toBe('/root/.local/state/rein/run')
  })
})

describe('paths that cannot be used', () => {
  test.each([
    ['REIN_HOME', source({ REIN_HOME: 'here' })],
    ['HOME', source({}, { homedir: '' })],
  ])('a relative %s is refused by name', (variable, relative) => {
    expect(() => reinPaths(relative)).toThrow(
      expect.objectContaining({ code: 'path_not_absolute', message: expect.stringContaining(variable) }),
    )
  })

  const runtimeOfSocketLength = (bytes: number): string => `/${'x'.repeat(bytes - '//rein/output.sock'.length)}`

  test.each([
    ['linux', 107],
    ['darwin', 103],
  ] as const)('on %s a socket path has at most %i bytes', (platform, limit) => {
    const withLength = (bytes: number) => source({ XDG_RUNTIME_DIR: runtimeOfSocketLength(bytes) }, { platform })
    expect(Buffer.byteLength(reinPaths(withLength(limit)).output)).toBe(limit)
    expect(() => reinPaths(withLength(limit + 1))).toThrow(
      expect.objectContaining({ code: 'path_too_long', hint: expect.stringContaining('export REIN_HOME=') }),
    )
  })

  test.each([
    ['REIN_HOME', source({ REIN_HOME: `/${'x'.repeat(100)}` })],
    ['XDG_STATE_HOME', source({ XDG_STATE_HOME: `/${'x'.repeat(100)}` })],
    ['HOME', source({}, { homedir: `/${'x'.repeat(100)}` })],
    ['HOME', source({}, { homedir: `/${'é'.repeat(40)}` })],
  ])('the message says that %s is to be shortened', (variable, long) => {
    expect(() => reinPaths(long)).toThrow(`${variable} leads to a socket path that is too long`)
  })
})
