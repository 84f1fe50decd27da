import type { Field } from './state.ts'

export type Language = 'shell' | 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk'

/** What a program runs besides itself. */
export type Inner =
  /** Another program with its words, after variables that it gets. */
  | { readonly kind: 'words'; readonly words: readonly Field[]; readonly directory?: Field | undefined }
  | { readonly kind: 'code'; readonly language: Language; readonly code: Field; readonly args: readonly Field[] }
  | { readonly kind: 'file'; readonly language: Language; readonly file: Field; readonly args: readonly Field[] }
  /** Its standard input is code. */
  | { readonly kind: 'input'; readonly language: Language }
