import { ReinError } from '../contract/errors.ts'
import { nearest } from '../util/nearest.ts'
import { activeSettings, type Setting, type SettingKey, settings } from './settings.ts'

type ActiveSetting = Setting & { key: SettingKey }

const byKey = new Map(settings.map((setting) => [setting.key, setting]))

/** Every setting, also one that is only announced. */
export const findSetting = (key: string): Setting | undefined => byKey.get(key)

export const isActive = (setting: Setting): setting is ActiveSetting => setting.since === 'now'

/** The setting that a user named, or an error that helps on. */
export const requireSetting = (key: string): ActiveSetting => {
  const setting = findSetting(key)
  if (setting === undefined) throw new ReinError('usage', `There is no setting "${key}".`, hintFor(key))
  if (isActive(setting)) return setting
  throw new ReinError('usage', `The setting ${key} has no effect in this version of Rein.`)
}

/** The setting that was probably meant. */
export const meantSetting = (key: string): string | undefined =>
  nearest(
    key,
    activeSettings.map((setting) => setting.key),
  )

const hintFor = (key: string): string => {
  const meant = meantSetting(key)
  return meant === undefined ? '`rein config list` shows them all.' : `Did you mean ${meant}?`
}
