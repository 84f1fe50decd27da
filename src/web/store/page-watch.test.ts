import { beforeEach, expect, test } from 'vitest'
import { PageWatch } from './page-watch.ts'

let page: string | Error
let reads: number
let watch: PageWatch

beforeEach(() => {
  page = '<link href="/assets/page-1.css"><script src="/assets/main-1.js"></script>'
  reads = 0
  watch = new PageWatch({
    readDocument: async () => {
      reads += 1
      if (page instanceof Error) throw page
      return page
    },
    ownFiles: ['/assets/page-1.css', '/assets/main-1.js'],
  })
})

test('a page that the daemon still has is not outdated, whatever its build', async () => {
  await watch.onBuild('b1')
  await watch.onBuild('b1')
  await watch.onBuild('b2')
  expect([watch.isOutdated.value, reads]).toEqual([false, 2])
})

test('another script or style is another page', async () => {
  await watch.onBuild('b1')
  page = '<link href="/assets/page-2.css"><script src="/assets/main-1.js"></script>'
  await watch.onBuild('b2')
  expect(watch.isOutdated.value).toBe(true)
})

test('what could not be read is read again with the next connection', async () => {
  page = new Error('502')
  await watch.onBuild('b1')
  expect(watch.isOutdated.value).toBe(false)
  page = ''
  await watch.onBuild('b1')
  expect(watch.isOutdated.value).toBe(true)
})
