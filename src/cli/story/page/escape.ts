import { escapeUnsafe } from '../../../base/util/visible.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text from anywhere, as text of a page or of an attribute; what would hide or turn it around is shown. */
export const escapeHtml = (text: string): string =>
  escapeUnsafe(text).replaceAll(/[&<>"']/g, (char) => entities[char] ?? '')
