// What the tests of erasures share: an account that is erased, and people who sign in again after those two weeks.
import type { Person, World } from './world.ts'

const DAYS = 14

/** Erases the account of a person. */
export async function erase(
  { app, clock }: Pick<World, 'app' | 'clock'>,
  person: Person,
  content: 'delete' | 'anonymise' = 'anonymise',
): Promise<void> {
  await person.deletion.request({ content })
  clock.pass(DAYS * 86_400 + 60)
  await app.work()
}

/** Signs in once more: a session ends after a week without use. */
export const signInAgain = (person: Person) =>
  person.accounts.signIn({ email: person.email, password: `${person.email.split('@')[0]} has a password` })
