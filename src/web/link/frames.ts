import type { Scope } from '../../contract/scope.ts'

/** This browser, as the daemon knows it. */
export interface Me {
  id: string
  name: string
  scopes: readonly Scope[]
}

export interface FrameError {
  code: string
  message: string
  hint?: string
}

/** What the daemon sends before the device is welcome. */
export type GreetingFrame =
  | { challenge: string; daemon: { id: string; version: string; build: string } }
  | { welcome: { device: Me; now: number; version: string } }
  | { refused: FrameError }

/** What it sends for a call or a stream. */
export type AnswerFrame = { id: number } & (
  | { result: unknown }
  | { error: FrameError }
  | { line: unknown }
  | { end: true }
)

export type ServerFrame = GreetingFrame | AnswerFrame

export type ClientFrame =
  | { hello: { device: string; signature: string } }
  | { id: number; call: string; input: object }
  | { id: number; open: string; input: object }
  | { id: number; credit: number }
  | { id: number; close: true }

/** The text that a device signs to prove that it has its key, here and now. */
export const helloText = (origin: string, challenge: string): string => `rein web 1\n${origin}\n${challenge}`
