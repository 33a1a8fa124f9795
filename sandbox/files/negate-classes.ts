/** Writes `[!a]`, as POSIX has it, the way picomatch understands it: `[^a]`. */
export function negateClasses(glob: string): string {
  let [out, inClass] = ['', false];
  for (let i = 0; i < glob.length; i += 1) {
    const char = glob[i] ?? '';
    if (char === '\\') {
      out += char + (glob[i + 1] ?? '');
      i += 1;
    } else if (!inClass && char === '[') {
      inClass = glob.indexOf(']', i + 1) !== -1;
      out += inClass && glob[i + 1] === '!' ? '[^' : char;
      if (inClass && glob[i + 1] === '!') i += 1;
    } else {
      if (char === ']') inClass = false;
      out += char;
    }
  }
  return out;
}
