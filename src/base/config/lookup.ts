import { ReinError } from '../../contract/errors.ts'
import { hintNearest, nearest } from '../util/nearest.ts'
import { type Setting, type SettingKey, settings } from './settings.ts'

type KnownSetting = Setting & { key: SettingKey }

const byKey = new Map<string, KnownSetting>(settings.map((setting) => [setting.key, setting]))

export const findSetting = (key: string): KnownSetting | undefined => byKey.get(key)

/** The setting that a user named, or an error that helps on. */
export const requireSetting = (key: string): KnownSetting => {
  const setting = findSetting(key)
  if (setting === undefined)
    throw new ReinError(
      'usage',
      `There is no setting "${key}".`,
      hintNearest(key, byKey.keys(), 'List them: rein config list'),
    )
  return setting
}

/** The setting that was probably meant. */
export const meantSetting = (key: string): string | undefined => nearest(key, byKey.keys())
