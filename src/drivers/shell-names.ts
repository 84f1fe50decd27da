import { drivers } from './registry.ts'
import { toolsOfKind } from './tool-kinds.ts'

const names: ReadonlySet<string> = new Set(
  drivers
    .flatMap((driver) => [...toolsOfKind(driver, 'shell'), ...toolsOfKind(driver, 'poll')])
    .map((name) => name.toLowerCase()),
)

/** Whether a tool of any CLI that runs commands, or types into them, has this name; people write names as they like. */
export const isShellName = (name: string): boolean => names.has(name.toLowerCase())
