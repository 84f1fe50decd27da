import type { z } from 'zod'
import type * as api from './story-api.ts'

/** The shapes of story-api.ts for callers that must not load the schemas. */
export type StoryRequest = z.input<typeof api.StoryInput>
export type StoryKind = z.infer<typeof api.StoryKind>
export type StoryTurn = z.infer<typeof api.StoryTurn>
export type StoryMoment = z.infer<typeof api.StoryMoment>
export type StoryAgent = z.infer<typeof api.StoryAgent>
export type Story = z.infer<typeof api.StoryOutput>
