// The actions by which a settings page asks for a credential again (Reauthenticate.svelte), the same on each.
import { redirect } from '@sveltejs/kit'
import { inSession } from './account.ts'
import { action, codeIn, type FormEvent, field } from './answers.ts'

/** `next` is the address after a confirmation. */
export const confirming = (next: (url: URL) => string) => {
  const goOn = (_: unknown, __: FormData, { url }: FormEvent) => redirect(303, next(url))
  return {
    confirm: action(
      (form, { locals }) => inSession(locals.api.reauthentication.confirm({ password: field(form, 'password') })),
      goOn,
    ),
    mailConfirmation: action(
      (_, { locals }) => inSession(locals.api.reauthentication.sendCode()),
      () => ({ confirmationMailed: true }),
    ),
    confirmCode: action(
      (form, { locals }) => inSession(locals.api.reauthentication.confirm({ code: codeIn(form) })),
      goOn,
    ),
  }
}
