import type { ComponentChildren } from 'preact'
import { hrefOf } from '../router.ts'
import { Icon } from './icon.tsx'

interface PageProps {
  title: ComponentChildren
  /** Beside the title, in small: where this belongs. */
  note?: ComponentChildren
  actions?: ComponentChildren
  /** The path of the view above this one. */
  up?: string
  /** The content fills the height and scrolls by itself. */
  isFilling?: boolean
  children: ComponentChildren
}

/** The frame of each view: its title, its actions, its content. */
export const Page = ({ title, note, actions, up, isFilling = false, children }: PageProps) => (
  <div class={isFilling ? 'page page-filling' : 'page'}>
    <header class="page-head">
      {up === undefined ? null : (
        <a class="button button-plain page-up" href={hrefOf(up)} aria-label="Back">
          <Icon name="back" />
        </a>
      )}
      <div class="page-title">
        <h1 tabIndex={-1}>{title}</h1>
        {note === undefined ? null : <div class="page-note">{note}</div>}
      </div>
      {actions === undefined ? null : <div class="page-actions">{actions}</div>}
    </header>
    <div class="page-body">{children}</div>
  </div>
)

/** Instead of an empty list. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children === undefined ? null : <div class="empty-text">{children}</div>}
  </div>
)
