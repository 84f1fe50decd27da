import { z } from 'zod'

/** What a device or another machine may do; each route names the scope that it needs. */
export const scopes = ['read', 'tell', 'answer', 'control', 'files', 'admin'] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>
