import { ReinError } from '../contract/errors.ts'
import { claude } from './claude/driver.ts'
import { codex } from './codex/driver.ts'
import type { Driver } from './contract.ts'
import { copilot } from './copilot/driver.ts'
import { gemini } from './gemini/driver.ts'
import { opencode } from './opencode/driver.ts'
import { hintNearest } from '../base/util/nearest.ts'

export const drivers: readonly Driver[] = [claude, codex, copilot, gemini, opencode]

export const findDriver = (name: string): Driver => {
  const driver = drivers.find((one) => one.name === name)
  if (driver !== undefined) return driver
  const names = drivers.map((one) => one.name)
  const hint = hintNearest(name, names, `There are: ${names.join(', ')}.`)
  throw new ReinError('unknown_driver', `There is no driver "${name}".`, hint)
}
