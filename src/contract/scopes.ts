/** What a device or another machine may do; each route names the scope that it needs. Without zod, for the command line. */
export const scopes = ['read', 'tell', 'answer', 'control', 'files', 'admin'] as const

/** What each of them lets a device do, as the page and the documentation say it. */
export const scopeWords: Record<(typeof scopes)[number], string> = {
  read: 'see agents, conversations, receipts, rooms, tasks and stories',
  tell: 'send messages to agents and rooms',
  answer: 'answer what agents ask',
  control: 'start, stop, pause and interrupt agents, and allow calls for good: as much as a shell on this machine',
  files: 'rewind, undo and fork sessions, import and export bundles',
  admin:
    'see and revoke devices; create, remove and route channels, stop adapters; accept notes; forget commands; rebuild tables, collect old sessions; stop the daemon',
}
