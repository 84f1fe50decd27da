import { ReinError } from '../contract/errors.ts'
import { claude } from './claude/driver.ts'
import type { Driver } from './contract.ts'

export const drivers: readonly Driver[] = [claude]

export const findDriver = (name: string): Driver => {
  const driver = drivers.find((one) => one.name === name)
  if (driver !== undefined) return driver
  throw new ReinError(
    'unknown_driver',
    `There is no driver "${name}".`,
    `Known: ${drivers.map((d) => d.name).join(', ')}.`,
  )
}
