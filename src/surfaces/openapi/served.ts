// The description of the API that a running server gives: the derived file at the server's own address. To read it takes 50 ms; to make
// it takes more than a second, in which nothing else would be answered.
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { dataInNameOf } from '../../language/named.ts'

/** The origin in the derived file. */
export const DERIVED_ORIGIN = 'http://localhost:3000'

const file = new URL('../../../docs/openapi.json', import.meta.url)

/** The text of the OpenAPI document of the server of this name at `baseUrl`, an origin. Rejects when docs/openapi.json is missing. */
export async function openApiText({ baseUrl, name }: Pick<Config, 'baseUrl' | 'name'>): Promise<string> {
  const text = await readFile(file, 'utf8')
  // An address is the beginning of a JSON string.
  const own = text.replaceAll(`"${DERIVED_ORIGIN}`, `"${JSON.stringify(baseUrl).slice(1, -1)}`)
  return JSON.stringify(dataInNameOf(name, JSON.parse(own)))
}
