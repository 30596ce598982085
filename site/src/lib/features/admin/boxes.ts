// Settings of several choices as boxes of a form.

/** The name of the box of a choice; without one, of the field that says that there are boxes. */
export const boxOf = (setting: string, choice = '') => `box:${setting}:${choice}`

/** The chosen ones of a form as the setting has them; undefined for a form without the boxes. */
export function chosenIn(form: FormData, name: string, choices: readonly string[]): string | undefined {
  if (!form.has(boxOf(name))) return undefined
  return choices.filter((choice) => form.has(boxOf(name, choice))).join(', ')
}

/** The same choices in the order of the setting, as `chosenIn` gives them. */
export function inOrder(value: string, choices: readonly string[]): string {
  const chosen = new Set(value.split(',').map((one) => one.trim()))
  return choices.filter((choice) => chosen.has(choice)).join(', ')
}
