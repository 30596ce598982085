// The part of the package `semver` that ranges need (library/naming/choosing.ts).
declare module 'semver/classes/range.js' {
  export default class Range {
    /** Throws a TypeError for what is no range. */
    constructor(range: string, options: { loose: boolean })
    /** False for a version that semver cannot read. */
    test(version: string): boolean
  }
}
