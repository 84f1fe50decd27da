import type { SettingKey, SettingValue } from '../base/config/settings.ts'

/** The settings as the daemon uses them: one value each, wherever it came from. */
export type DaemonSettings = { [Key in SettingKey]: SettingValue<Key> }
