/** What a device or another machine may do; each route names the scope that it needs. Without zod, for the command line. */
export const scopes = ['read', 'tell', 'answer', 'control', 'files', 'admin'] as const
