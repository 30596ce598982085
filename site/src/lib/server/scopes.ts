// What connected apps may do, in the words of the consent page.
import { scopes } from '../../../../src/oauth/scopes.ts'

/** A sentence a scope; one that is not known any more stands for itself. */
export const scopeSentences = (names: readonly string[]): string[] =>
  names.map((name) => (name in scopes ? scopes[name as keyof typeof scopes].words : name))
