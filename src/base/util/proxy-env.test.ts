import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childEnv, proxyWarnings } from './proxy-env.ts'

describe('the environment of a child', () => {
  test('names the loopback addresses as exceptions', () => {
    expect(childEnv({})).toEqual({ NO_PROXY: '127.0.0.1,localhost,::1', no_proxy: '127.0.0.1,localhost,::1' })
  })

  test.each([
    ['.corp.example', '.corp.example,127.0.0.1,localhost,::1'],
    ['localhost, .corp.example', 'localhost, .corp.example,127.0.0.1,::1'],
    ['127.0.0.1,localhost,::1', '127.0.0.1,localhost,::1'],
    ['*', '*'],
  ])('keeps the exceptions that are there: %s', (before, after) => {
    expect(childEnv({ NO_PROXY: before, no_proxy: before })).toEqual({ NO_PROXY: after, no_proxy: after })
  })

  test('a variable that was not set takes over what the other one says', () => {
    expect(childEnv({ no_proxy: 'a.example' })['NO_PROXY']).toBe('a.example,127.0.0.1,localhost,::1')
    expect(childEnv({ NO_PROXY: 'a.example' })['no_proxy']).toBe('a.example,127.0.0.1,localhost,::1')
  })

  test('changes nothing else, and a second time nothing at all', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (env) => {
        const child = childEnv(env)
        expect(child).toEqual({ ...env, NO_PROXY: child['NO_PROXY'], no_proxy: child['no_proxy'] })
        expect(childEnv(child)).toEqual(child)
      }),
    )
  })
})

describe('warnings about proxy variables', () => {
  test.each([
    ['no proxy', {}],
    ['empty values', { HTTP_PROXY: '', https_proxy: '' }],
    ['both', { HTTP_PROXY: 'http://127.0.0.1:8118', HTTPS_PROXY: 'http://127.0.0.1:8118' }],
    ['one for all', { ALL_PROXY: 'socks5h://127.0.0.1:9050', HTTP_PROXY: 'http://proxy.example' }],
  ])('none for %s', (_, env) => {
    expect(proxyWarnings(env)).toEqual([])
  })

  test.each([
    ['HTTPS_PROXY is not:', { http_proxy: 'http://proxy.example' }],
    ['HTTP_PROXY is not:', { HTTPS_PROXY: 'http://proxy.example' }],
    ['ALL_PROXY has no scheme', { ALL_PROXY: 'proxy.example:8080' }],
    ['all_proxy is not the address of a proxy', { all_proxy: 'http://' }],
    ['ALL_PROXY is not the address of a proxy', { ALL_PROXY: 'ftp://proxy.example' }],
    ['ALL_PROXY and all_proxy differ', { ALL_PROXY: 'http://a.example', all_proxy: 'http://b.example' }],
  ])('%s', (warning, env) => {
    expect(proxyWarnings(env)).toEqual([expect.stringContaining(warning)])
  })

  test('never show a value: it may hold a password', () => {
    expect(proxyWarnings({ ALL_PROXY: 'ada:hunter2@proxy' }).join()).not.toContain('hunter2')
  })
})
