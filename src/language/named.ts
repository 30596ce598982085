// Texts that come with the software and are read on a server of another name: the handbook, the blog, and the descriptions of the API.
// Messages say the name by `{site}` instead (words.ts).

/** The name of a server that has none of its own. */
export const DEFAULT_NAME = 'Guildhall'

const NAME = new RegExp(`\\b${DEFAULT_NAME}\\b`, 'g')

/** The text as a server called `name` says it. Commands, packages, metrics and headers have the name in other letters, or as a part. */
export const inNameOf = (name: string, text: string): string =>
  name === DEFAULT_NAME ? text : text.replace(NAME, () => name)

/** Data with every text in it as a server called `name` says it. */
export function dataInNameOf<Data>(name: string, data: Data): Data {
  if (name === DEFAULT_NAME) return data
  const json = JSON.stringify(data)
  // A name within JSON is written as JSON.
  return JSON.parse(json.replace(NAME, () => JSON.stringify(name).slice(1, -1)))
}
