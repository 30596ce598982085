// What tests call of jsonld, which has no types of its own.
declare module 'jsonld' {
  interface Loaded {
    contextUrl: null
    documentUrl: string
    document: object
  }
  interface Options {
    documentLoader(url: string): Promise<Loaded>
    /** Throws for what JSON-LD would leave out without a word. */
    safe: true
  }
  const jsonld: { expand(document: object, options: Options): Promise<Record<string, unknown>[]> }
  export default jsonld
}
