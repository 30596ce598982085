// What a form tells the fields in it.
import { createContext } from 'svelte'
import type { Limits } from '../../../../src/contract/limits.ts'

export interface FormState {
  /** Its name, by which an answer is for it. */
  readonly of: string | undefined
  /** What is wrong with a field of the form that was refused. */
  error(field: string): string | undefined
  /** What was typed into it: in a form that was refused, or in a draft. */
  typed(field: string): string | undefined
  /** What a draft has of it, which knows less than the page about what changed since. */
  kept(field: string): string | undefined
  /** Whether it was refused because it is to be confirmed first. */
  readonly asksToConfirm: boolean
  /** What the operation that the form calls takes. */
  limits(field: string): Limits
  /** What its drafts are kept under; undefined for a form without. */
  readonly draft: string | undefined
}

export const [formAround, setForm, isInForm] = createContext<FormState>()
