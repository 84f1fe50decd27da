import { expect, test } from 'vitest'
import { asReinError, type ErrorBody, errorCodes, ReinError } from './errors.ts'

test('every error survives the way through the daemon', () => {
  for (const code of errorCodes) {
    const error = new ReinError(code, 'It failed.', 'Try again.')
    const back = ReinError.fromBody(JSON.parse(JSON.stringify(error.toBody())))
    expect(back).toMatchObject({ code, message: 'It failed.', hint: 'Try again.', exitCode: error.exitCode })
  }
})

test('every error has one of the documented exit codes and an HTTP status that is an error', () => {
  const errors = errorCodes.map((code) => new ReinError(code, ''))
  expect(new Set(errors.map(({ exitCode }) => exitCode))).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  for (const { status } of errors) expect(status).toBeGreaterThanOrEqual(400)
})

test.each(['from_a_newer_rein', 'constructor', 'toString'])(
  'a code that is not known (%s) is a plain failure',
  (code) => {
    const error = ReinError.fromBody({ error: { code, message: 'x' } } as unknown as ErrorBody)
    expect(error).toMatchObject({ code: 'failed', exitCode: 1, status: 500 })
  },
)

test('without a hint the body has none', () => {
  expect(new ReinError('failed', 'x').toBody()).toEqual({ error: { code: 'failed', message: 'x' } })
})

test.each([
  [new ReinError('inbox_full', 'x'), 'inbox_full'],
  [new Error('boom'), 'failed'],
  ['boom', 'failed'],
  [undefined, 'failed'],
])('whatever is thrown becomes one of ours: %s', (cause, code) => {
  expect(asReinError(cause).code).toBe(code)
})
