import { expect, test } from 'vitest'
import { capabilities, minVersion, reasons } from './capabilities.ts'

test('a version that is refused headless does not claim to run so, nor to be woken there', () => {
  expect(capabilities('2.0.77', 'stream')).toMatchObject({ headless: false, wakeIdle: false })
  expect(reasons('2.0.77')).toMatchObject({ headless: expect.stringContaining('2.0.77') })
  expect(capabilities(minVersion, 'stream')).toMatchObject({ headless: true, wakeIdle: true })
  expect(capabilities(minVersion, 'tmux')).toMatchObject({ headless: true, wakeIdle: false })
})
