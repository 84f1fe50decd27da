import { Icon } from './icon.tsx'
import { oneLine } from './text.ts'

/** Where an agent works; nothing where there is no branch, or none is known. */
export const Branch = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : (
    <span class="branch cut" title={oneLine(name, 200)}>
      <Icon name="branch" size={12} />
      <span class="sr-only">branch </span>
      {oneLine(name, 60)}
    </span>
  )
