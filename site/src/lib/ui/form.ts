// What a form tells the fields in it.
import { createContext } from 'svelte'
import type { Limits } from '../../../../src/contract/limits.ts'

export interface FormState {
  /** What is wrong with a field of the form that was refused. */
  error(field: string): string | undefined
  /** What was typed into it. */
  typed(field: string): string | undefined
  /** What the operation that the form calls takes. */
  limits(field: string): Limits
}

export const [formAround, setForm, isInForm] = createContext<FormState>()
