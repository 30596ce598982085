// Why a sign-in with an external account did not succeed, by the code of the refusal.
const words: Readonly<Record<string, (name: string) => string>> = {
  blocked: () => 'This account is blocked.',
  conflict: (name) =>
    `Your address already has an account here. Sign in to it with a password or a code, then connect ${name} in your settings. If ${name} is connected to another account, disconnect it there.`,
  forbidden: (name) => `No account was made: ${name} did not verify your address, or it may not sign up here.`,
  reauthentication_required: () => 'You signed in more than ten minutes ago. Confirm that it is you, and try again.',
  rate_limited: () => 'Too many attempts. Wait a few minutes and try again.',
}

export const externalWords = (code: string, name: string): string =>
  (words[code] ?? ((which: string) => `The sign-in with ${which} did not succeed. Try again.`))(name)
