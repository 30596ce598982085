// What a list of numbers or names is: the site asks for what a page of texts mentions.

/** Of each, in one call. */
export const MAX_REFERENCES = 100
const NUMBERS = /^[1-9]\d{0,8}(?:,[1-9]\d{0,8})*$/
const NAMES = /^[\w-]{3,24}(?:,[\w-]{3,24})*$/

/** Undefined when the text is no such list. */
function listed(text: string, form: RegExp): string[] | undefined {
  if (text === '') return []
  const values = form.test(text) ? text.split(',') : undefined
  return values && values.length <= MAX_REFERENCES ? values : undefined
}

export const listOfNumbers = (text: string): number[] | undefined => listed(text, NUMBERS)?.map(Number)
export const listOfNames = (text: string): string[] | undefined => listed(text, NAMES)
