// The prompts of MCP, and the operations that complete arguments.
import type { Prompt } from './contract/prompt.ts'
import { features } from './features.ts'

/** The list in which the values of an argument are. */
export const completedBy: Readonly<Record<string, string>> = Object.assign(
  {},
  ...features.map((feature) => feature.completedBy),
)

export const prompts: readonly Prompt[] = features.flatMap((feature) => feature.prompts ?? [])
