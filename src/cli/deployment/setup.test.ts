import { expect, test } from 'vitest'
import { pathWarning } from './setup.ts'

const request = { clis: [], isGlobal: false, isShared: true, isOnPath: false, cwd: '/', env: {}, dryRun: false }

test('whoever shares files that name a rein which is not theirs is told', () => {
  expect(pathWarning(request)).toContain('on your PATH is not this Rein')
  expect(pathWarning({ ...request, isOnPath: true })).toBeNull()
  expect(pathWarning({ ...request, isShared: false })).toBeNull()
  expect(pathWarning({ ...request, isGlobal: true })).toBeNull()
})
