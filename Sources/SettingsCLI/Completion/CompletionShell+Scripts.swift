// After a word that ends in a dot, a slash or = something follows without a space. Fish knows that by itself.
extension CompletionShell {
    static let bashScript = #"""
        # bash completion for settings

        _settings() {
            local line=${COMP_LINE:0:COMP_POINT} program=${1/#\~\//$HOME/} index word gap
            local words=() breaks="" current candidate
            # Bash splits words at = and : as well.
            for ((index = 0; index <= COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]} gap=$((index == 0))
                while [[ $line == [[:space:]]* ]]; do line=${line:1} gap=1; done
                if ((index == COMP_CWORD)); then word=$line; fi
                line=${line:${#word}}
                if ((gap)); then words+=("$word"); else words[${#words[@]} - 1]+=$word; fi
            done
            current=${words[${#words[@]} - 1]}
            current=${current#[\"\']}
            [[ $COMP_WORDBREAKS != *=* ]] || breaks+==
            [[ $COMP_WORDBREAKS != *:* ]] || breaks+=:
            if [[ -n $breaks ]]; then current=${current%"${current##*[$breaks]}"}; else current=""; fi
            type -P -- "$program" >/dev/null || program=settings
            COMPREPLY=()
            while IFS="" read -r candidate; do
                case $candidate in
                $'\t'files | $'\t'folders)
                    if [[ $candidate == *files ]]; then index=-f; else index=-d; fi
                    ! type compopt &>/dev/null || compopt -o filenames
                    while IFS="" read -r word; do COMPREPLY+=("$word"); done < <(compgen "$index" -- "$2")
                    return
                    ;;
                *)
                    candidate=${candidate%%$'\t'*}
                    COMPREPLY+=("${candidate:${#current}}")
                    ;;
                esac
            done < <("$program" ---complete bash -- "${words[@]:1}" 2>/dev/null)
            if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[./=] ]] && type compopt &>/dev/null; then
                compopt -o nospace
            fi
        }
        complete -o nosort -F _settings settings 2>/dev/null || complete -F _settings settings

        """#

    static let zshScript = #"""
        #compdef settings

        _settings() {
            local program=${(Q)words[1]} line text item
            local -a final open other
            program=${program/#\~\//$HOME/}
            if ! whence -p -- $program >/dev/null; then program=settings; fi
            for line in "${(@f)$($program ---complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                case $line in
                $'\tfiles') _files; return ;;
                $'\tfolders') _files -/; return ;;
                '') continue ;;
                esac
                text=${line%%$'\t'*}
                # What was typed is a part of its name.
                [[ ${(L)text} == ${(L)${(Q)PREFIX}}* ]] || other=(-U)
                item=${text//\\/\\\\}
                item=${item//:/\\:}
                if [[ $line == *$'\t'* ]]; then item+=:${line#*$'\t'}; fi
                if [[ $text == *[./=] ]]; then open+=("$item"); else final+=("$item"); fi
            done
            _describe -V '' final $other -M 'm:{a-zA-Z}={A-Za-z}' -- open $other -S '' -M 'm:{a-zA-Z}={A-Za-z}'
        }

        if [[ $funcstack[1] == _settings ]]; then
            _settings "$@"
        else
            compdef _settings settings
        fi

        """#

    static let fishScript = #"""
        # fish completion for settings

        function __settings_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l program $words[1]
            command -q -- $program; or set program settings
            for line in (command $program ---complete fish -- $words[2..-1] "$current" 2>/dev/null)
                switch $line
                    case \tfiles
                        __fish_complete_path "$current"
                    case \tfolders
                        __fish_complete_directories "$current"
                    case '*'
                        printf '%s\n' $line
                end
            end
        end
        complete -c settings -f -k -a '(__settings_complete)'

        """#
}
